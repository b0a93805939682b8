/*
 * A button pressed before its element's script has come is pressed again when it has: on a slow phone the page is
 * there seconds before the script. Small enough to stand in the page itself, so it is there with the page.
 */
document.addEventListener(
  'click',
  ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('button[type=button]:not([popovertarget])') : null;
    const waiting = button?.closest(':not(:defined)');
    if (button && waiting) void customElements.whenDefined(waiting.localName).then(() => { button.click(); });
  },
  { capture: true },
);
