import { expect, test } from 'vitest';
import { findBrokenCalls, type PublicFunctions } from '#local/migration/last-release-calls.ts';
import { emptyMigration, formatMigration, readMigration } from '#local/migration/migration-file.ts';
import { readCreations, splitStatements } from '#local/migration/sql-statements.ts';
import { readSchemas } from '#local/shared/sql-files.ts';
import { eachRow } from '#tests/each-row.ts';

test('statements end at a semicolon outside of comments, quotes and bodies', async () => {
  await eachRow(
    [
      ['select 1; select 2;', ['select 1;', 'select 2;']],
      ['-- one; two\nselect 1 -- three; four\n;', ['select 1 -- three; four\n;']],
      ['/* a; b */ select 1;', ['select 1;']],
      [`select 'it''s; so', e'a\\'; b';`, [`select 'it''s; so', e'a\\'; b';`]],
      ['create policy "Reads; writes" on t;', ['create policy "Reads; writes" on t;']],
      ['do $$ begin a; end $$;', ['do $$ begin a; end $$;']],
      ['do $body$ $$;$$ ; $body$; select 1;', ['do $body$ $$;$$ ; $body$;', 'select 1;']],
      ['select 1', ['select 1']],
    ] as const,
    ([sql, statements]) => {
      expect(splitStatements(sql)).toEqual(statements);
    },
  );
});

test('the statements of a schema file are its whole text, except comments between them', async () => {
  await eachRow(await readSchemas(), ({ sql }) => {
    const rest = splitStatements(sql).reduce((text, statement) => {
      expect(text.split(statement)).toHaveLength(2);
      return text.replace(statement, () => '');
    }, sql);
    expect(rest.replaceAll(/^\s*--.*$/gmu, '').trim()).toBe('');
  });
});

test('a creation is named as the description of a database names it', async () => {
  await eachRow(
    [
      [
        'create function public.place_order(p_a text)\nreturns text;',
        'function public.place_order',
      ],
      ['create view private.sold as select 1;', 'view private.sold'],
      [
        'create policy "It""s mine" on public.orders for select;',
        'policy public.orders: It"s mine',
      ],
      [
        'create trigger follow\nafter update of a on public.orders\nfor each row;',
        'trigger public.orders: follow',
      ],
      ['create unique index a_idx on public.orders (id);', 'index public.a_idx'],
    ] as const,
    ([sql, object]) => {
      expect(readCreations(`-- Why.\n${sql}\ncreate table public.t (id bigint);`)).toEqual([
        { object, text: sql },
      ]);
    },
  );
});

test('writing a migration again keeps what its author wrote around the written part', () => {
  const first = formatMigration(emptyMigration, {
    before: ['column public.orders.wrap text'],
    after: ['drop table public.old'],
    sql: 'drop function a();',
  });
  expect(first).toBe(`-- What changes, and why the previous site still works on it.

-- BY HAND: column public.orders.wrap text

-- Written by npm run migration
drop function a();
-- end

-- BY HAND: drop table public.old
`);
  const edited = first
    .replace(
      '-- BY HAND: column',
      'alter table public.orders add column wrap text;\n-- BY HAND: column',
    )
    .replace('-- BY HAND: drop', 'drop table public.old;\n-- BY HAND: drop');
  const again = formatMigration(readMigration(edited), { before: [], after: [], sql: 'select 1;' });
  expect(again).toBe(`-- What changes, and why the previous site still works on it.

alter table public.orders add column wrap text;

-- Written by npm run migration
select 1;
-- end

drop table public.old;
`);
  expect(formatMigration(readMigration(again), { before: [], after: [], sql: 'select 1;' })).toBe(
    again,
  );
});

test('a migration without a written part is by hand, all of it', () => {
  expect(readMigration('-- Why.\nselect 1;\n')).toEqual({
    before: '-- Why.\nselect 1;',
    after: '',
  });
});

const functions = (arguments_: string[], required = arguments_): PublicFunctions =>
  new Map([['place_order', { inputs: arguments_, required }]]);

test('what the site of the last release calls stays', async () => {
  const calls =
    (...words: string[]) =>
    (...asked: string[]): boolean =>
      asked.every((word) => words.includes(word));
  const before = functions(['p_lines', 'p_wrap']);
  await eachRow(
    [
      [new Map(), calls('place_order'), 'calls public.place_order: keep it'],
      [new Map(), calls('p_lines'), null],
      [
        functions(['p_lines']),
        calls('place_order', 'p_wrap'),
        'calls public.place_order with p_wrap',
      ],
      [functions(['p_lines']), calls('place_order', 'p_lines'), null],
      [
        functions(['p_lines', 'p_wrap', 'p_new']),
        calls('place_order'),
        'calls public.place_order without p_new',
      ],
      [functions(['p_lines', 'p_wrap', 'p_new'], ['p_lines']), calls('place_order'), null],
      [functions(['p_lines', 'p_wrap', 'p_new']), calls(), null],
    ] as const,
    ([now, mentions, sentence]) => {
      expect(findBrokenCalls(now, before, '1.0.0', mentions)).toEqual(
        sentence === null ? [] : [expect.stringContaining(`The site of 1.0.0 ${sentence}`)],
      );
    },
  );
});
