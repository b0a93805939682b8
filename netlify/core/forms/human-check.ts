/**
 * A check that a person sent a form, by the token that came with it: `netlify/features/NAME/human-check.ts` of a feature.
 * `action` names the form that the token must be for, and `host` the site that showed it. Throws HttpError 400 for a token that
 * is missing, refused or used, 503 when it cannot be verified.
 */
export type HumanCheck = (token: string, action: string, host: string) => Promise<void>;
