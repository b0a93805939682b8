/*
 * The sandbox's checkout at its own origin: in the frame that checkout.ts opens, to which it reports every event, or in the
 * whole window of an in-app browser, from where it goes on to `callback_url` by a form post. Types are stripped.
 */
(() => {
  interface Options {
    key: string;
    order_id?: string;
    name?: string;
    description?: string;
    prefill?: { name?: string; email?: string; contact?: string };
    theme?: { color?: string };
    modal?: { escape?: boolean; backdropclose?: boolean };
    /** Seconds. */
    timeout?: number;
    callback_url?: string;
  }
  type Answer = Record<string, string>;
  interface Failure {
    error: {
      code: string;
      description: string;
      source?: string;
      step?: string;
      reason?: string;
      metadata: object;
    };
  }
  /** Receives the events of the dialog. */
  interface Opener {
    paid: (answer: Answer) => void;
    failed: (failure: Failure) => void;
    dismissed: (reason?: string) => void;
  }

  const isFailure = (answer: Answer | Failure): answer is Failure => 'error' in answer;
  const { shop = '', options: posted } = document.documentElement.dataset;
  if (posted === undefined) openInFrame();
  else openInWindow(JSON.parse(posted) as Options);

  function openInFrame(): void {
    const tell = (event: string, facts: object = {}): void => {
      window.parent.postMessage({ event, ...facts }, shop);
    };
    window.addEventListener(
      'message',
      ({ origin, source, data }: MessageEvent<string>) => {
        if (origin !== shop || source !== window.parent) return;
        void show(JSON.parse(data) as Options, {
          paid: (answer) => {
            tell('paid', { answer });
          },
          failed: (answer) => {
            tell('failed', { answer });
          },
          dismissed: (reason) => {
            tell('dismissed', { reason });
          },
        });
      },
      { once: true },
    );
    tell('ready');
  }

  function openInWindow(options: Options): void {
    const { callback_url: callback = shop, order_id: orderId } = options;
    const fail = ({ error: { metadata, ...texts } }: Failure): void => {
      const fields = { ...texts, metadata: JSON.stringify(metadata) };
      postForm(
        callback,
        Object.fromEntries(
          Object.entries(fields).map(([name, value]) => [`error[${name}]`, value]),
        ),
      );
    };
    void show(options, {
      paid: (answer) => {
        postForm(callback, answer);
      },
      // "Customer is redirected to the specified callback URL in case of payment failure": the option `redirect`.
      failed: fail,
      dismissed: (reason) => {
        const facts = {
          source: 'customer',
          step: 'payment_authentication',
          reason: reason ?? 'payment_cancelled',
        };
        const error = {
          code: 'BAD_REQUEST_ERROR',
          description: 'The payment was cancelled.',
          ...facts,
        };
        fail({ error: { ...error, metadata: { order_id: orderId } } });
      },
    });
  }

  async function show(options: Options, opener: Opener): Promise<void> {
    const { name = '', description = '', prefill = {}, modal = {}, theme, timeout } = options;
    const close = element('button', '×', { type: 'button', 'aria-label': 'Close' });
    const amount = element('p', '…', { class: 'amount' });
    const status = element('p', '', { role: 'status' });
    const pay = element('button', 'Pay', { type: 'button', class: 'pay', disabled: '' });
    const fail = element('button', 'Fail', { type: 'button', disabled: '' });
    const header = element('header');
    header.append(element('h1', 'Razorpay sandbox', { id: 'title' }), close);
    const actions = element('div', '', { class: 'actions' });
    actions.append(pay, fail);
    const main = element('main');
    const payer = [prefill.name, prefill.email, prefill.contact].filter(Boolean).join(' · ');
    main.append(element('p', 'A test of this machine: no money moves.', { class: 'warning' }));
    main.append(
      element('p', name),
      element('p', description),
      amount,
      element('p', payer),
      status,
      actions,
    );
    const dialog = element('dialog', '', { 'aria-labelledby': 'title' });
    if (theme?.color) dialog.style.setProperty('--theme', theme.color);
    dialog.append(header, main);
    document.body.append(dialog);

    const attempt = async (kind: 'pay' | 'fail'): Promise<void> => {
      pay.disabled = fail.disabled = true;
      status.textContent = 'Processing…';
      const answer = await ask(kind, options);
      if (!isFailure(answer)) {
        opener.paid(answer);
        return;
      }
      status.textContent = `Payment failed. ${answer.error.description}`;
      pay.disabled = fail.disabled = false;
      opener.failed(answer);
    };
    close.addEventListener('click', () => {
      opener.dismissed();
    });
    pay.addEventListener('click', () => void attempt('pay'));
    fail.addEventListener('click', () => void attempt('fail'));
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      if (modal.escape !== false) opener.dismissed();
    });
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog && modal.backdropclose === true) opener.dismissed();
    });
    dialog.showModal();
    if (timeout)
      setTimeout(() => {
        opener.dismissed('timeout');
      }, timeout * 1000);

    const order = await ask('order', options);
    if (isFailure(order)) {
      status.textContent = order.error.description;
      return;
    }
    const { currency = 'INR', amount: paise } = order;
    amount.textContent = new Intl.NumberFormat('en-IN', { style: 'currency', currency }).format(
      Number(paise) / 100,
    );
    pay.disabled = fail.disabled = false;
    pay.focus();
  }

  /** Calls the sandbox; network trouble comes back in the provider's error shape, as everything does. */
  async function ask(call: 'order' | 'pay' | 'fail', options: Options): Promise<Answer | Failure> {
    const { key, order_id: orderId, prefill, description } = options;
    const body = JSON.stringify({
      key,
      order_id: orderId,
      email: prefill?.email,
      contact: prefill?.contact,
      description,
    });
    try {
      const answer = await fetch(call, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      return (await answer.json()) as Answer | Failure;
    } catch {
      return {
        error: {
          code: 'NETWORK_ERROR',
          description: 'The sandbox cannot be reached.',
          metadata: { order_id: orderId },
        },
      };
    }
  }

  function element<N extends keyof HTMLElementTagNameMap>(
    name: N,
    text = '',
    attributes: Answer = {},
  ): HTMLElementTagNameMap[N] {
    const made = document.createElement(name);
    made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  function postForm(action: string, fields: Answer): void {
    const form = element('form', '', { method: 'post', action });
    for (const [name, value] of Object.entries(fields))
      form.append(element('input', '', { type: 'hidden', name, value }));
    document.body.append(form);
    form.submit();
  }
})();
