import { fileDatabase } from '#services/storage/file-database.ts';

/** The unsent parts of a customer's claim. Files stay on the device. */
export interface ClaimDraft {
  message: string;
  photos: readonly Blob[];
  video: { id: string; file: Blob } | null;
  /** The customer pressed Send without a connection: it is sent as soon as there is one. */
  isWaiting: boolean;
}

export const emptyDraft: ClaimDraft = { message: '', photos: [], video: null, isWaiting: false };

const storeName = 'claims';

/** Opens the store and runs one request in it. IndexedDB, because it alone stores files. */
function inStore<T>(
  mode: IDBTransactionMode,
  run: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(fileDatabase, 1);
    const fail = (cause: unknown): void => {
      reject(new Error('The draft cannot be stored on this device', { cause }));
    };
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore(storeName);
    };
    opening.onerror = () => {
      fail(opening.error);
    };
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction(storeName, mode);
      const request = run(transaction.objectStore(storeName));
      transaction.oncomplete = () => {
        database.close();
        resolve(request.result);
      };
      transaction.onerror = () => {
        database.close();
        fail(transaction.error);
      };
    };
  });
}

/** The draft for an order; empty without one, and where the browser stores none. */
export async function readClaimDraft(orderId: number): Promise<ClaimDraft> {
  try {
    const stored = (await inStore('readonly', (store) => store.get(orderId))) as
      Partial<ClaimDraft> | undefined;
    return { ...emptyDraft, ...stored };
  } catch (error) {
    console.info('No draft can be read', error);
    return emptyDraft;
  }
}

/** Stores the draft. Without storage the page itself still has it. */
export async function writeClaimDraft(orderId: number, draft: ClaimDraft): Promise<void> {
  await inStore('readwrite', (store) => store.put(draft, orderId)).catch((error: unknown) => {
    console.info('The draft stays in this page only', error);
  });
}

/** Removes the draft of a claim that was sent. */
export async function forgetClaimDraft(orderId: number): Promise<void> {
  await inStore('readwrite', (store) => store.delete(orderId)).catch(() => undefined);
}
