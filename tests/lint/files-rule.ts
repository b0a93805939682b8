import type { CreateRule } from '@oxlint/plugins';
import { layerOf, projectPath } from './project-path.ts';

const vagueNames = /^(?:utils?|helpers?|types?|common|misc|shared|index)$/u;

/** Every file has a layer and a name that says what is in it; none only passes others on. */
export const filesRule: CreateRule = {
  meta: {
    type: 'problem',
    messages: {
      layer:
        '{{path}} is in no layer. The layers are the folders of src and netlify that README names.',
      name: "'{{name}}' says nothing. Name the file after what it holds.",
      letters: "'{{name}}' should be written in kebab-case.",
      component: 'A component exports nothing; a page may export what Astro asks it for.',
      barrel:
        'This file only passes others on. Let importers name the file that has what they need.',
      star: 'Export by name: a reader must see where a name comes from.',
    },
    schema: [],
  },
  create(context) {
    const path = projectPath(context.filename);
    const file = path.slice(path.lastIndexOf('/') + 1);
    const name = file.replace(/\..*$/u, '');
    const isScript = /\.[cm]?[jt]s$/u.test(path);
    const isPage = path.startsWith('src/pages/');
    return {
      Program: (node) => {
        if (layerOf(path) === 'none') context.report({ node, messageId: 'layer', data: { path } });
        if (isScript && !isPage && vagueNames.test(name))
          context.report({ node, messageId: 'name', data: { name } });
        if (isScript && !isPage && /[A-Z_]/u.test(name))
          context.report({ node, messageId: 'letters', data: { name } });
        const passesOn = node.body.filter(
          (statement) =>
            statement.type === 'ExportAllDeclaration' ||
            (statement.type === 'ExportNamedDeclaration' && statement.source),
        );
        const own = node.body.filter(
          (statement) => !passesOn.includes(statement) && statement.type !== 'ImportDeclaration',
        );
        if (passesOn.length > 0 && own.length === 0) context.report({ node, messageId: 'barrel' });
      },
      ExportNamedDeclaration: (node) => {
        if (!path.endsWith('.astro') || node.exportKind === 'type') return;
        const exported = context.sourceCode.getText(node);
        if (
          !isPage ||
          !/^export (?:const|(?:async )?function) (?:getStaticPaths|prerender|partial)\b/u.test(
            exported,
          )
        )
          context.report({ node, messageId: 'component' });
      },
      ExportAllDeclaration: (node) => {
        context.report({ node, messageId: 'star' });
      },
    };
  },
};
