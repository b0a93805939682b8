/*
 * A button pressed before its element's script has come is pressed again when it has: on a slow phone the page is
 * there seconds before the script. Small enough to stand in the page itself, so it is there with the page.
 */
document.addEventListener(
  'click',
  ({ target }) => {
    const button =
      target instanceof Element
        ? target.closest<HTMLElement>('button[type=button]:not([popovertarget])')
        : null;
    // The innermost element is whose button it is: an outer one that is still to come has no part in the press.
    let element: Element | null = button;
    while (element && !element.localName.includes('-')) element = element.parentElement;
    if (button && element?.matches(':not(:defined)'))
      void customElements.whenDefined(element.localName).then(() => {
        button.click();
      });
  },
  { capture: true },
);
