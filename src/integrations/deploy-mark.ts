/** Stands in pages and scripts for Netlify's id of the deploy, which each deploy has another of (`finish-pages.ts`). */
export const deployMark = '__DEPLOY_ID__';
