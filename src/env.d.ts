/// <reference types="astro/client" />

interface ImportMetaEnv {
  readonly PUBLIC_SUPABASE_URL?: string;
  readonly PUBLIC_SUPABASE_PUBLISHABLE_KEY?: string;
  readonly PUBLIC_RAZORPAY_CHECKOUT_URL?: string;
  readonly PUBLIC_FORM_ENDPOINT?: string;
  readonly PUBLIC_TURNSTILE_SITE_KEY?: string;
  readonly PUBLIC_TURNSTILE_SCRIPT?: string;
  readonly PUBLIC_DEPLOY_CONTEXT?: string;
  readonly PUBLIC_DEPLOY_ID?: string;
  readonly PUBLIC_OFFERS_CASH?: boolean;
}

/** Network Information, which Chromium alone has. */
interface Navigator {
  readonly connection?: { readonly saveData?: boolean };
}
