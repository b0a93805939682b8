import { HumanCheckError } from '#services/human/human-check-error.ts';

/** The part of Turnstile that is used (developers.cloudflare.com/turnstile/get-started/client-side-rendering/widget-configurations). */
interface Turnstile {
  render: (place: HTMLElement, options: Readonly<Record<string, unknown>>) => string | undefined;
  reset: (widget: string) => void;
}

declare global {
  interface Window {
    turnstile?: Turnstile;
  }
}

const notLoaded =
  'The security check could not be loaded. Please check your connection, allow challenges.cloudflare.com if you block scripts, and press the button again.';
const asks =
  'Please complete the security check in the form first. Then press the button once more.';
const failed =
  'The security check did not work in this browser. Please reload the page, or try another browser.';

/** How long a token may take, in ms. A check that asks the visitor something ends the wait at once. */
const timeLimitMs = 15_000;

let script: Promise<Turnstile> | undefined;

/** Loads Turnstile's script once. After a failure the next call tries again. */
function loadTurnstile({ src }: { src: string }): Promise<Turnstile> {
  script ??= new Promise<Turnstile>((resolve, reject) => {
    const element = document.createElement('script');
    const giveUp = () => {
      element.remove();
      script = undefined;
      reject(new HumanCheckError(notLoaded));
    };
    element.src = src;
    element.async = true;
    element.onerror = giveUp;
    element.onload = () => {
      if (window.turnstile) resolve(window.turnstile);
      else giveUp();
    };
    setTimeout(() => {
      if (!window.turnstile) giveUp();
    }, timeLimitMs);
    document.head.append(element);
  });
  return script;
}

/** Turnstile's own minimum of a flexible widget, in CSS pixels. */
const minWidth = 300;

function contentWidth(element: Element | null): number {
  if (element === null) return 0;
  const { paddingLeft, paddingRight } = getComputedStyle(element);
  return element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
}

interface NextToken {
  promise: Promise<string>;
  resolve: (token: string) => void;
  reject: (reason: Error) => void;
}

interface Check {
  api: Turnstile;
  widget: string;
  /** The token that comes next. */
  token: NextToken;
  /** The widget is visible, and waits for the visitor. */
  asking: boolean;
  broken: boolean;
}

const checks = new WeakMap<HTMLElement, Promise<Check>>();

function nextToken(): NextToken {
  let resolve: NextToken['resolve'] = () => undefined;
  let reject: NextToken['reject'] = () => undefined;
  const promise = new Promise<string>((give, fail) => {
    [resolve, reject] = [give, fail];
  });
  const next = { promise, resolve, reject };
  // A failure without a waiting request is shown when the form is submitted.
  next.promise.catch(() => undefined);
  return next;
}

async function createCheck(place: HTMLElement, action: string): Promise<Check> {
  const settings = document.querySelector<HTMLMetaElement>('meta[name="turnstile"]');
  const api = await loadTurnstile({ src: settings?.dataset['script'] ?? '' });
  const check: Check = { api, widget: '', token: nextToken(), asking: false, broken: false };
  const end = (message: string) => {
    check.token.reject(new HumanCheckError(message));
    check.token = nextToken();
  };
  const ask = (asking: boolean) => {
    check.asking = asking;
    // A widget that shows nothing takes no space, not even a gap of the form's grid.
    place.classList.toggle('absolute', !asking);
  };
  check.widget =
    api.render(place, {
      sitekey: settings?.content,
      action,
      appearance: 'interaction-only',
      // Its wide form needs 300 pixels, more than a form has on a small phone.
      size: contentWidth(place.parentElement) < minWidth ? 'compact' : 'flexible',
      theme: 'light',
      'response-field': false,
      callback: (token: string) => {
        check.token.resolve(token);
      },
      // Turnstile renews an expired token by itself.
      'expired-callback': () => {
        check.token = nextToken();
      },
      'before-interactive-callback': () => {
        ask(true);
        end(asks);
      },
      'after-interactive-callback': () => {
        ask(false);
      },
      'error-callback': () => {
        check.broken = true;
        end(failed);
        // True marks the error as handled, so that Turnstile logs nothing.
        return true;
      },
      'unsupported-callback': () => {
        check.broken = true;
        end(failed);
      },
    }) ?? '';
  return check;
}

/** Loads Turnstile and renders the widget of a form. A second call for the same place does nothing. */
export function beginCheck(place: HTMLElement, action: string): Promise<Check> {
  const known = checks.get(place);
  if (known) return known;
  const check = createCheck(place, action);
  checks.set(place, check);
  // The next submit tries again.
  check.catch(() => checks.delete(place));
  return check;
}

/**
 * A token for one request. Throws HumanCheckError when Turnstile cannot be loaded, asks the visitor something first, or does not
 * work in this browser.
 */
export async function takeToken(place: HTMLElement, action: string): Promise<string> {
  const check = await beginCheck(place, action);
  if (check.asking) throw new HumanCheckError(asks);
  if (check.broken) renew(check);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => {
      fail(new HumanCheckError(notLoaded));
    }, timeLimitMs);
  });
  try {
    return await Promise.race([check.token.promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function renew(check: Check): void {
  check.token = nextToken();
  check.broken = false;
  check.api.reset(check.widget);
}

/** Requests another token for a form's widget: each token is valid for one request. */
export function renewCheck(place: HTMLElement): void {
  checks
    .get(place)
    ?.then(renew)
    .catch(() => undefined);
}
