/** The IndexedDB database of this site, which alone stores files. @public */
export const fileDatabase = 'kasavu';

/** Deletes all files that drafts store on this device. Never rejects. */
export function forgetStoredFiles(): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      resolve();
    };
    try {
      const request = indexedDB.deleteDatabase(fileDatabase);
      request.onsuccess = done;
      request.onerror = done;
      // Another tab is writing; the browser deletes the database after it.
      request.onblocked = done;
    } catch {
      done();
    }
  });
}
