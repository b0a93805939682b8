/*
 * The sandbox's stand-in for Razorpay's checkout.js: a classic script, sent to the browser with its types stripped. As
 * the real one does, it runs under the shop's content security policy, puts a frame of its own origin over the page,
 * styles it by attribute, reports to its own origin, and leaves the page by a form post with `redirect: true`.
 */
(() => {
  interface Options {
    key: string;
    handler?: (answer: Record<string, string>) => void;
    modal?: { ondismiss?: (reason?: string) => void; confirm_close?: boolean };
    retry?: boolean | { enabled?: boolean };
    callback_url?: string;
    redirect?: boolean;
    /** Everything else is for the frame alone, see checkout-dialog.ts. */
    [name: string]: unknown;
  }
  type Listener = (answer: unknown) => void;
  /** Events of the frame, see checkout-dialog.ts. */
  type Message =
    | { event: 'ready' }
    | { event: 'paid'; answer: Record<string, string> }
    | { event: 'failed'; answer: unknown }
    | { event: 'dismissed'; reason?: string };

  const script = document.currentScript;
  const base = new URL(
    'checkout/',
    script instanceof HTMLScriptElement ? script.src : document.baseURI,
  );
  const frameStyle =
    'position: fixed; inset: 0; width: 100%; height: 100%; border: 0; z-index: 2147483647';

  const removedAfterMs = 300;

  class Checkout {
    readonly #options: Options;
    readonly #listeners = new Map<string, Listener[]>();
    #frame: HTMLIFrameElement | null = null;

    constructor(options: Options) {
      if (typeof options !== 'object' || !options.key) throw new Error('Options are missing: key');
      this.#options = options;
    }

    on(event: string, listener: Listener): this {
      this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
      return this;
    }

    open(): void {
      if (this.#frame) return;
      fetch(new URL('report', base), { method: 'POST', mode: 'no-cors', body: 'open' }).catch(
        () => undefined,
      );
      if (this.#options.callback_url && this.#options.redirect === true) {
        postForm(new URL('page', base).href, { options: JSON.stringify(this.#options) });
        return;
      }
      const frame = document.createElement('iframe');
      frame.setAttribute('style', frameStyle);
      frame.title = 'Razorpay sandbox';
      frame.src = new URL('page', base).href;
      this.#frame = frame;
      window.addEventListener('message', this.#receive);
      document.body.append(frame);
    }

    close(): void {
      window.removeEventListener('message', this.#receive);
      const frame = this.#frame;
      this.#frame = null;
      if (frame === null) return;
      // Hidden at once, removed later: when a frame goes during the press that closed it, Chromium may never answer to that press
      // (twice in 600 on a busy machine), and a browser test hangs.
      frame.title = '';
      frame.style.visibility = 'hidden';
      setTimeout(() => {
        frame.remove();
      }, removedAfterMs);
    }

    readonly #receive = ({ origin, source, data }: MessageEvent): void => {
      if (origin !== base.origin || source !== this.#frame?.contentWindow) return;
      const message = data as Message;
      switch (message.event) {
        case 'ready':
          // The options are sent as text, because functions cannot be posted between windows.
          this.#frame.contentWindow?.postMessage(JSON.stringify(this.#options), base.origin);
          this.#frame.focus();
          break;
        case 'paid':
          this.#finish(message.answer);
          break;
        case 'failed':
          this.#fail(message.answer);
          break;
        case 'dismissed':
          this.#dismiss(message.reason);
      }
    };

    #finish(answer: Record<string, string>): void {
      const { callback_url: callback, handler } = this.#options;
      this.close();
      if (handler) handler(answer);
      else if (callback) postForm(callback, answer);
    }

    #fail(answer: unknown): void {
      const { retry } = this.#options;
      const mayRetry = typeof retry === 'object' ? retry.enabled !== false : retry !== false;
      if (!mayRetry) this.close();
      for (const listener of this.#listeners.get('payment.failed') ?? []) listener(answer);
      if (!mayRetry) this.#options.modal?.ondismiss?.();
    }

    #dismiss(reason?: string): void {
      const { modal = {} } = this.#options;
      if (
        reason === undefined &&
        modal.confirm_close === true &&
        !confirm('Are you sure you want to close the form?')
      )
        return;
      this.close();
      modal.ondismiss?.(reason);
    }
  }

  function postForm(action: string, fields: Record<string, string>): void {
    const form = document.createElement('form');
    form.method = 'post';
    form.action = action;
    for (const [name, value] of Object.entries(fields)) {
      const input = document.createElement('input');
      Object.assign(input, { type: 'hidden', name, value });
      form.append(input);
    }
    document.body.append(form);
    form.submit();
  }

  Object.assign(window, { Razorpay: Checkout });
})();
