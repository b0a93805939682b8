/*
 * The sandbox's stand-in for Razorpay's checkout.js: a classic script, sent to the browser with its types stripped.
 * It runs under the site's own content security policy, so styles go through a constructed sheet and listeners
 * through addEventListener.
 */
(() => {
  interface Options {
    key: string;
    order_id?: string;
    name?: string;
    description?: string;
    handler?: (answer: Record<string, string>) => void;
    prefill?: { name?: string; email?: string; contact?: string };
    theme?: { color?: string };
    modal?: { ondismiss?: (reason?: string) => void; escape?: boolean; backdropclose?: boolean; confirm_close?: boolean };
    retry?: boolean | { enabled?: boolean };
    /** Seconds. */
    timeout?: number;
    callback_url?: string;
    redirect?: boolean;
  }
  type Listener = (answer: unknown) => void;

  const styles = `
    dialog { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; width: min(26rem, calc(100vw - 2rem));
      box-sizing: border-box; padding: 0; border: 4px dashed #b00020; border-radius: 8px; }
    dialog::backdrop { background: rgb(0 0 0 / 60%); }
    header { display: flex; align-items: center; justify-content: space-between; padding: .75rem 1rem; color: #fff;
      background: var(--theme, #072654); }
    h2 { margin: 0; font-size: 1.15rem; } main { padding: 1rem; } p { margin: 0 0 .6rem; }
    .warning { color: #b00020; font-weight: 600; } .amount { font-size: 1.5rem; font-weight: 700; }
    .actions { display: flex; gap: .75rem; margin-top: 1rem; }
    button { font: inherit; min-height: 2.75rem; min-width: 2.75rem; padding: 0 1.25rem; border-radius: 6px;
      border: 1px solid #767676; background: #fff; color: #222; cursor: pointer; }
    button:disabled { opacity: .6; cursor: default; } header button { font-size: 1.3rem; padding: 0; }
    button.pay { background: #0b6e2e; border-color: #0b6e2e; color: #fff; flex: 1; }
    :focus-visible { outline: 3px solid #1a73e8; outline-offset: 2px; }`;

  const script = document.currentScript;
  const base = new URL('.', script instanceof HTMLScriptElement ? script.src : document.baseURI).href;

  function element<Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    text = '',
    attributes: Record<string, string> = {},
  ): HTMLElementTagNameMap[Name] {
    const made = document.createElement(name);
    made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  class Checkout {
    readonly #options: Options;
    readonly #listeners = new Map<string, Listener[]>();
    #host: HTMLElement | null = null;
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor(options: Options) {
      if (typeof options !== 'object' || !options.key) throw new Error('Options are missing: key');
      this.#options = options;
    }

    on(event: string, listener: Listener): this {
      this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
      return this;
    }

    open(): void {
      if (!this.#host) void this.#show();
    }

    close(): void {
      clearTimeout(this.#timer);
      this.#host?.remove();
      this.#host = null;
    }

    async #show(): Promise<void> {
      const { modal = {}, theme, timeout } = this.#options;
      const host = element('div');
      this.#host = host;
      const root = host.attachShadow({ mode: 'open' });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(styles);
      root.adoptedStyleSheets = [sheet];
      const dialog = element('dialog', '', { 'aria-labelledby': 'title' });
      if (theme?.color) dialog.style.setProperty('--theme', theme.color);
      const parts = this.#fill(dialog);
      root.append(dialog);
      document.body.append(host);
      dialog.addEventListener('cancel', (event) => {
        event.preventDefault();
        if (modal.escape !== false) this.#dismiss();
      });
      dialog.addEventListener('click', (event) => {
        if (event.target === dialog && modal.backdropclose === true) this.#dismiss();
      });
      dialog.showModal();
      if (timeout) this.#timer = setTimeout(() => { this.#dismiss('timeout'); }, timeout * 1000);
      const order = await this.#ask('order');
      if (order['error']) {
        parts.status.textContent = this.#message(order);
        return;
      }
      const format = new Intl.NumberFormat('en-IN', { style: 'currency', currency: String(order['currency']) });
      parts.amount.textContent = format.format(Number(order['amount']) / 100);
      parts.pay.disabled = false;
      parts.fail.disabled = false;
      parts.pay.focus();
    }

    #fill(dialog: HTMLDialogElement) {
      const { name = '', description = '', prefill = {} } = this.#options;
      const close = element('button', '×', { type: 'button', 'aria-label': 'Close' });
      const heading = element('h2', 'Razorpay sandbox', { id: 'title' });
      const header = element('header');
      header.append(heading, close);
      const amount = element('p', '…', { class: 'amount' });
      const status = element('p', '', { role: 'status' });
      const pay = element('button', 'Pay', { type: 'button', class: 'pay', disabled: '' });
      const fail = element('button', 'Fail', { type: 'button', disabled: '' });
      const actions = element('div', '', { class: 'actions' });
      actions.append(pay, fail);
      const main = element('main');
      const payer = [prefill.name, prefill.email, prefill.contact].filter(Boolean).join(' · ');
      main.append(
        element('p', 'A test of this machine: no money moves.', { class: 'warning' }),
        element('p', name),
        element('p', description),
        amount,
        element('p', payer),
        status,
        actions,
      );
      dialog.append(header, main);
      close.addEventListener('click', () => { this.#dismiss(); });
      pay.addEventListener('click', () => void this.#attempt('pay', [pay, fail], status));
      fail.addEventListener('click', () => void this.#attempt('fail', [pay, fail], status));
      return { amount, status, pay, fail };
    }

    async #attempt(kind: 'pay' | 'fail', buttons: HTMLButtonElement[], status: HTMLElement): Promise<void> {
      const { callback_url: callback, redirect, handler, retry } = this.#options;
      for (const button of buttons) button.disabled = true;
      status.textContent = 'Processing…';
      const answer = await this.#ask(kind);
      if (!answer['error']) {
        const paid = answer as Record<string, string>;
        this.close();
        if (callback && (redirect === true || !handler)) postForm(callback, paid);
        else handler?.(paid);
        return;
      }
      const mayRetry = typeof retry === 'object' ? retry.enabled !== false : retry !== false;
      status.textContent = `Payment failed. ${this.#message(answer)}`;
      for (const button of buttons) button.disabled = false;
      if (!mayRetry) this.close();
      for (const listener of this.#listeners.get('payment.failed') ?? []) listener(answer);
    }

    /** Calls the sandbox; network trouble comes back in the provider's error shape, as everything does. */
    async #ask(call: 'order' | 'pay' | 'fail'): Promise<Record<string, unknown>> {
      const { key, order_id: orderId, prefill, description } = this.#options;
      const body = { key, order_id: orderId, email: prefill?.email, contact: prefill?.contact, description };
      try {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(`${base}checkout/${call}`, { method: 'POST', headers, body: JSON.stringify(body) });
        return (await answer.json()) as Record<string, unknown>;
      } catch {
        return { error: { code: 'NETWORK_ERROR', description: 'The sandbox cannot be reached.', metadata: { order_id: orderId } } };
      }
    }

    #message(answer: Record<string, unknown>): string {
      const { error } = answer as { error?: { description?: string } };
      return error?.description ?? 'Unknown error';
    }

    #dismiss(reason?: string): void {
      const { modal = {} } = this.#options;
      if (reason === undefined && modal.confirm_close === true && !confirm('Are you sure you want to close the form?')) return;
      this.close();
      modal.ondismiss?.(reason);
    }
  }

  /** In-app browsers go on by a form post instead of a call in the page. */
  function postForm(action: string, fields: Record<string, string>): void {
    const form = element('form', '', { method: 'post', action });
    for (const [name, value] of Object.entries(fields)) form.append(element('input', '', { type: 'hidden', name, value }));
    document.body.append(form);
    form.submit();
  }

  Object.assign(window, { Razorpay: Checkout });
})();
