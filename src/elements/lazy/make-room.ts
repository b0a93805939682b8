let isPressed = false;
/** The region of a message that came during a press. */
let waiting: HTMLElement | null = null;
addEventListener('pointerdown', () => (isPressed = true), { capture: true });
for (const end of ['pointerup', 'pointercancel'])
  addEventListener(
    end,
    () => {
      isPressed = false;
      // The click comes first.
      setTimeout(() => {
        if (waiting) makeRoom(waiting);
      });
    },
    { capture: true },
  );

/**
 * Moves the page down for as long as a message would lie over one of its headings; the content of a dialog also for its fields. It
 * waits for the end of a press, because a button that moves away from under a finger is not clicked.
 */
export function makeRoom(region: HTMLElement): void {
  waiting = isPressed ? region : null;
  if (isPressed) return;
  const dialog = region.closest('dialog');
  const box = dialog
    ? dialog.querySelector<HTMLElement>('.dialog-body')
    : document.querySelector('main');
  if (!box) return;
  box.style.cssText = '';
  const own = region.getBoundingClientRect();
  const kept = dialog ? 'h2,input,select,textarea' : 'h1,h2';
  for (const part of region.firstChild ? box.querySelectorAll(kept) : []) {
    const { top, bottom, height } = part.getBoundingClientRect();
    if (height < 2 || top >= own.bottom || bottom <= own.top) continue;
    // The browser's own correction of the scroll position is off, because it would put the part back.
    box.style.cssText = `overflow-anchor:none;margin-top:${String(own.bottom - top)}px`;
    return;
  }
}
