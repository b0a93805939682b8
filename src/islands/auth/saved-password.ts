/*
 * Two tabs of one browser may take part in one sign-up: one waits for the code and has the password, the other was opened by the link
 * of the mail and asks for a password. The first one saves its password and notifies the second, which then hides its form.
 */
const channelName = 'kasavu:saved-password';

/** Saves the password that was typed into the sign-up of this tab, and notifies the other tabs. Never rejects. */
export async function announceSavedPassword(password: string): Promise<void> {
  try {
    const { keepTypedPassword } = await import('./submit-code.ts');
    if (!(await keepTypedPassword(password))) return;
    const channel = new BroadcastChannel(channelName);
    channel.postMessage('saved');
    channel.close();
  } catch (error) {
    console.warn('The password of the sign-up could not be saved', error);
  }
}

/** Calls back when another tab has saved the password. Returns a function that stops it. */
export function onSavedPassword(onSaved: () => void): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => undefined;
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', onSaved);
  return () => {
    channel.close();
  };
}
