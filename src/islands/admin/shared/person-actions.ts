/** What the admin can do for whoever writes about their data, besides erasing it. */
export interface PersonAction {
  label: string;
  busyText: string;
  /** The title of a failure. */
  failure: string;
  /** Returns the sentence shown when it is done. Throws AdminError. */
  run: (email: string) => Promise<string>;
}

/**
 * The actions that features add: every `src/features/NAME/person-actions.ts`.
 *
 * @public
 */
export const personActions: readonly PersonAction[] = Object.values(
  import.meta.glob<readonly PersonAction[]>('../../../features/*/person-actions.ts', {
    eager: true,
    import: 'personActions',
  }),
).flat();
