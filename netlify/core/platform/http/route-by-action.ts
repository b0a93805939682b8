import type { Context } from '@netlify/functions';

type NetlifyFunction = (request: Request, context: Context) => Promise<Response>;

/**
 * Makes one Netlify function of several, which the parameter `action` of its path distinguishes, e.g.
 * `/api/orders/:id/:action(cancel|refund)`. `otherwise` answers for a path without it, and for an unknown action.
 */
export function routeByAction(
  actions: Readonly<Record<string, NetlifyFunction>>,
  otherwise: NetlifyFunction,
): NetlifyFunction {
  return (request, context) => {
    const { action = '' } = context.params;
    const found = Object.hasOwn(actions, action) ? actions[action] : undefined;
    return (found ?? otherwise)(request, context);
  };
}

/** Makes one Netlify function of several with a path each, such as '/api/newsletter'. */
export function routeByPath(functions: Readonly<Record<string, NetlifyFunction>>): NetlifyFunction {
  const byPath = new Map(Object.entries(functions));
  return (request, context) => {
    const found = byPath.get(new URL(request.url).pathname.toLowerCase().replace(/\/$/u, ''));
    // The platform calls the function for its paths alone.
    return found
      ? found(request, context)
      : Promise.resolve(new Response('There is no such address.', { status: 404 }));
  };
}
