import { codeLength } from '#domain/account/mailed-code.ts';

/** The answers of Auth and of Supabase's management API for a shop whose settings are pushed, as they are documented. */
export const usualAuth = {
  auth: { disable_signup: false, mailer_autoconfirm: false, external: { email: true } },
  authConfig: {
    hook_send_email_enabled: true,
    hook_send_email_uri: 'https://kasavu.test/api/send-email',
    site_url: 'https://kasavu.test/auth',
    uri_allow_list: 'https://kasavu.test/auth',
    rate_limit_email_sent: 100_000,
    smtp_max_frequency: 60,
    mfa_totp_enroll_enabled: false,
    mfa_totp_verify_enabled: false,
    mfa_phone_enroll_enabled: false,
    mfa_phone_verify_enabled: false,
    security_captcha_enabled: true,
    security_captcha_provider: 'turnstile',
    mailer_secure_email_change_enabled: true,
    security_update_password_require_reauthentication: true,
    mailer_otp_length: codeLength,
    mailer_otp_exp: 600,
    rate_limit_verify: 30,
  },
};
