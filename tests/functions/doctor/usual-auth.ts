import { authMails } from '../../../local/sign-up/auth-mails.ts';
import { shop } from '../../../src/settings/shop.ts';

const mails = await authMails();

/** The answers of Auth and of Supabase's management API for a shop whose settings are pushed, as they are documented. */
export const usualAuth = {
  auth: { disable_signup: false, mailer_autoconfirm: false, external: { email: true } },
  authConfig: {
    smtp_host: 'smtp.mail.test',
    smtp_admin_email: 'accounts@kasavu.test',
    smtp_sender_name: shop.name,
    site_url: 'https://kasavu.test/auth',
    uri_allow_list: 'https://kasavu.test/auth',
    rate_limit_email_sent: 100,
    security_captcha_enabled: true,
    security_captcha_provider: 'turnstile',
    mailer_secure_email_change_enabled: true,
    security_update_password_require_reauthentication: true,
    password_hibp_enabled: true,
    mailer_otp_length: 6,
    mailer_otp_exp: 600,
    rate_limit_verify: 30,
    mailer_subjects_confirmation: mails.confirmation.subject,
    mailer_subjects_recovery: mails.recovery.subject,
    mailer_templates_confirmation_content: mails.confirmation.html,
    mailer_templates_recovery_content: mails.recovery.html,
  },
};
