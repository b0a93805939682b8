import type { ComponentType } from 'react';

/** The field for a code besides the password. A feature adds it as `src/features/NAME/CodeField.tsx`. */
export type CodeField = ComponentType<{
  name: string;
  value: string;
  error: string | undefined;
  onValue: (value: string) => void;
  /** Asks for a recovery code instead of one of the app. */
  recovery: boolean;
  onRecovery: (recovery: boolean) => void;
}>;

/** Fetches the field; undefined when no feature has one. Most shops never need it, so the login form does not carry it. */
export const [loadCodeField] = Object.values(
  import.meta.glob<CodeField>('../../../../features/*/CodeField.tsx', { import: 'CodeField' }),
);
