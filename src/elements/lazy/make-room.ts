/** Moves the page down for as long as a message would lie over one of its headings. */
export function makeRoom(region: HTMLElement): void {
  const main = document.querySelector('main');
  if (!main || region.closest('dialog')) return;
  main.style.cssText = '';
  const own = region.getBoundingClientRect();
  for (const heading of region.firstChild ? main.querySelectorAll('h1,h2') : []) {
    const { top, bottom, height } = heading.getBoundingClientRect();
    if (height === 0 || top >= own.bottom || bottom <= own.top) continue;
    // Without the browser's own correction of the scroll position, which would put the heading back.
    main.style.cssText = `overflow-anchor:none;margin-top:${String(own.bottom - top)}px`;
    return;
  }
}
