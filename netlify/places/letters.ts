// Written by src/integrations/list-features.ts from every netlify/functions/*/letters.ts.
import { letters as claims } from '../functions/claims/letters.ts';
import { letters as contact } from '../functions/contact/letters.ts';
import { letters as newsletter } from '../functions/newsletter/letters.ts';
import { letters as stockAlerts } from '../functions/stock-alerts/letters.ts';
import type { LetterKinds } from '../server/mail/letter-kinds.ts';

export const letters: readonly LetterKinds[] = [claims, contact, newsletter, stockAlerts];
