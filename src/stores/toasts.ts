import { atom } from 'nanostores';
import { shop } from '#settings/shop.ts';

export interface Toast {
  id: number;
  title: string;
  /** A text, or a line of the page with a link or a button in it. */
  description?: string | Node | undefined;
  tone: 'default' | 'success' | 'destructive';
  durationMs: number;
}
export type ToastOptions = Partial<Pick<Toast, 'description' | 'tone' | 'durationMs'>>;

/** The messages on screen, oldest first. `elements/toast-region` shows and announces them. */
export const $toasts = atom<readonly Toast[]>([]);

let lastId = 0;

/** Shows a toast for 4 s by default. The same message is shown once. Returns its id. */
export function showToast(title: string, options: ToastOptions = {}): number {
  lastId += 1;
  const toast: Toast = {
    id: lastId,
    title,
    tone: 'default',
    durationMs: shop.toastMs.usual,
    ...options,
  };
  const others = $toasts
    .get()
    .filter(
      ({ title: shown, description }) => shown !== title || description !== toast.description,
    );
  // Three toasts are shown at most: more would cover a phone's screen.
  $toasts.set([...others.slice(-2), toast]);
  setTimeout(dismissToast, toast.durationMs, toast.id);
  return toast.id;
}

export function dismissToast(id: number): void {
  $toasts.set($toasts.get().filter((toast) => toast.id !== id));
}
