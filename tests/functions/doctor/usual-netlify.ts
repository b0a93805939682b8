/* The management APIs of Netlify and Supabase answer on this machine, as they are documented (github.com/netlify/open-api, swagger.yml). */
const secrets = [
  'SUPABASE_SECRET_KEY',
  'SEND_EMAIL_HOOK_SECRET',
  'RAZORPAY_KEY_SECRET',
  'RAZORPAY_WEBHOOK_SECRET',
  'SMTP_URL',
  'BUILD_HOOK_URL',
  'ADMIN_PASSWORD_HASH',
];
const others = [
  'PUBLIC_SUPABASE_URL',
  'PUBLIC_SUPABASE_PUBLISHABLE_KEY',
  'SUPABASE_URL',
  'RAZORPAY_KEY_ID',
  'MAIL_FROM',
  'OWNER_EMAIL',
];

/** What the APIs know of a shop that was set up by the guide. */
export const usualNetlify = {
  env: [...secrets, ...others].map((key) => ({
    key,
    scopes: secrets.includes(key) ? ['functions'] : ['builds', 'functions', 'runtime'],
    values: [{ context: 'production', value: '' }],
  })),
  regions: { database: 'ap-southeast-1' },
  site: {
    id: 'site-1',
    account_id: 'account-1',
    functions_region: 'sin' as string | null,
    published_deploy: { id: 'deploy-1', functions_region: 'sin' as string | null },
  },
  account: {
    id: 'account-1',
    name: 'Kasavu',
    slug: 'kasavu',
    type_name: 'Pro',
    type_id: 'type-1',
    roles_allowed: ['Owner', 'Developer'],
  },
  forms: [
    { id: 'form-1', site_id: 'site-1', name: 'order', paths: ['/cart'], submission_count: 0 },
  ],
  /** Days ago of each deploy of production, newest first. */
  deploys: [0, 0, 0] as number[],
  /** How many of the first are skipped, and how many of the last are ignored. */
  skipped: 0,
  ignored: 0,
};
export type NetlifyAnswers = typeof usualNetlify;

/** A page of listSiteDeploys. */
function deployPage(answers: NetlifyAnswers, query: URLSearchParams): Response {
  const [page, size] = [Number(query.get('page')), Number(query.get('per_page'))];
  const all = answers.deploys.map((days, index) => ({
    id: `deploy-${String(index)}`,
    state: index % 4 === 3 ? 'error' : 'ready',
    context: 'production',
    skipped: index < answers.skipped ? true : null,
    error_message:
      index >= answers.deploys.length - answers.ignored
        ? "Failed during stage 'checking build content for changes': Canceled build due to no content change"
        : null,
    created_at: new Date(Date.now() - days * 86_400_000).toISOString(),
  }));
  // Netlify lists previews as well when it is not asked for production.
  if (query.get('production') !== 'true') return Response.json([]);
  return Response.json(all.slice((page - 1) * size, page * size));
}
/** The APIs' answer to a request: 404 for what the doctor has no business to ask. */
export function answerAsNetlify(answers: NetlifyAnswers, request: Request): Response {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === '/api/v1/sites/site-1') return Response.json(answers.site);
  if (pathname === '/api/v1/sites/site-1/deploys') return deployPage(answers, searchParams);
  if (pathname === '/api/v1/sites/site-1/forms') return Response.json(answers.forms);
  if (pathname === '/api/v1/accounts/account-1') return Response.json(answers.account);
  if (/^\/v1\/projects\/\w+$/u.test(pathname))
    return Response.json({ region: answers.regions.database });
  if (pathname === '/api/v1/accounts/account-1/env') return Response.json(answers.env);
  return new Response(null, { status: 404 });
}
