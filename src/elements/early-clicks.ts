/*
 * Replays a press on a button whose element's script has not loaded yet: on a slow phone the page is
 * visible seconds before the script. Small enough to be inlined in the page.
 */
document.addEventListener(
  'click',
  ({ target }) => {
    const button =
      target instanceof Element
        ? target.closest<HTMLElement>('button[type=button]:not([popovertarget])')
        : null;
    // The button belongs to the innermost element; outer elements that load later do not handle the press.
    let element: Element | null = button;
    while (element && !element.localName.includes('-')) element = element.parentElement;
    if (button && element?.matches(':not(:defined)'))
      void customElements.whenDefined(element.localName).then(() => {
        button.click();
      });
  },
  { capture: true },
);
