import { theme as own } from '#shop/theme.ts';
import type { ThemeSettings } from '#shop-schema/theme-schema.ts';

/** The look, for pages that load no style sheet. The others use the tokens of `tailwind.config.mjs`. */
export const theme: ThemeSettings = own;
