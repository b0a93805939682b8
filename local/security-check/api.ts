/*
 * The stand-in for Turnstile's api.js: a classic script, sent to the browser with its types stripped. As the real one does, it
 * runs under the shop's content security policy, puts a frame of its own origin into the form, and calls back.
 */
(() => {
  interface Options {
    sitekey?: string;
    action?: string;
    size?: 'flexible' | 'compact';
    callback?: (token: string) => void;
    'before-interactive-callback'?: () => void;
    'after-interactive-callback'?: () => void;
  }
  /** The message that the frame posts, see frame.ts. */
  interface Message {
    event: 'asks' | 'token';
    token: string;
  }
  const script = document.currentScript;
  const base = script instanceof HTMLScriptElement ? script.src : document.baseURI;
  /** Reloads the frame of a widget, by its id. Its page makes a token as it loads. */
  const reloads = new Map<string, () => void>();

  function render(place: HTMLElement, options: Options): string {
    const widget = `widget-${String(reloads.size)}`;
    const frame = document.createElement('iframe');
    const source = new URL('frame', base);
    source.searchParams.set('sitekey', options.sitekey ?? '');
    source.searchParams.set('action', options.action ?? '');
    const size =
      options.size === 'compact'
        ? 'width: 150px; height: 140px'
        : 'width: 100%; min-width: 300px; height: 65px';
    let asking = false;
    const resize = () => {
      frame.style.cssText = asking
        ? `border: 0; display: block; ${size}`
        : 'border: 0; width: 0; height: 0; display: block';
    };
    window.addEventListener('message', (event: MessageEvent<Message>) => {
      if (event.source !== frame.contentWindow) return;
      const { event: name, token } = event.data;
      const wasAsking = asking;
      asking = name === 'asks';
      resize();
      if (asking) options['before-interactive-callback']?.();
      else if (wasAsking) options['after-interactive-callback']?.();
      if (name === 'token') options.callback?.(token);
    });
    frame.title = 'Security check';
    frame.src = source.href;
    resize();
    place.append(frame);
    reloads.set(widget, () => {
      frame.src = source.href;
    });
    return widget;
  }

  function reset(widget: string): void {
    reloads.get(widget)?.();
  }

  Object.assign(window, { turnstile: { render, reset } });
})();
