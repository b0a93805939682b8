// @ts-check
{
  const { stored = '', plainAddress } = document.currentScript?.dataset ?? {};
  try {
    const isKnown = stored.split(' ').some((key) => localStorage[key] ?? sessionStorage[key]);
    const hasMore = /[?&](?!next=)/u.test(location.search) || location.hash !== '';
    if (isKnown || (plainAddress === '' && hasMore)) document.documentElement.dataset['later'] = '';
  } catch {
    // Without storage everybody is a new visitor.
  }

  // Marks the last button that was pressed, or the form that was sent, for `useForm`, which repeats it once React is there. The
  // browser would otherwise post the fields to the page.
  /** @type {HTMLElement | null} */
  let pressed = null;
  /** @param {Event} event @param {string} selector */
  const mark = (event, selector) => {
    /** @type {HTMLElement | null} */
    const target = event.target instanceof Element ? event.target.closest(selector) : null;
    if (!target) return;
    event.preventDefault();
    if (pressed) delete pressed.dataset['pressed'];
    pressed = target;
    pressed.dataset['pressed'] = '';
  };
  addEventListener('click', (event) => mark(event, '.first-state button[type=button]'), true);
  addEventListener('submit', (event) => mark(event, 'form[data-early]'), true);
}
