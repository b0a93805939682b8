/** Whether a text is a whole address. It stands for `URL.canParse`, which some supported browsers do not have. */
export function isUrl(text: string): boolean {
  try {
    return new URL(text).href !== '';
  } catch {
    return false;
  }
}
