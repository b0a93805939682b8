/** Whether a text is a whole address. As `URL.canParse`, which browsers that the shop supports do not have. */
export function isUrl(text: string): boolean {
  try {
    return new URL(text).href !== '';
  } catch {
    return false;
  }
}
