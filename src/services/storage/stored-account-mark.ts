const key = 'kasavu:has-account';

/** Stores that somebody has logged in with this browser. */
export function rememberAccount(): void {
  try {
    localStorage.setItem(key, 'yes');
  } catch {
    // Without storage, the customer chooses between login and sign-up again.
  }
}

/** Whether somebody has logged in with this browser before. False without storage. */
export function hasHadAccount(): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}
