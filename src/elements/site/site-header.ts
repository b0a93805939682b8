import { $cart } from '#stores/cart.ts';
import { $session } from '#stores/session.ts';
import { moveBriefly } from '#elements/motion/short-motion.ts';

/** The fixed header: solid after 20 px, cart badge, menus, and the signed-in customer's links. */
class SiteHeader extends HTMLElement {
  connectedCallback(): void {
    $cart.subscribe(({ itemCount }, before) => {
      this.#showCount(itemCount);
      if (before && itemCount > before.itemCount)
        moveBriefly(this.querySelector('[data-cart-count]'), { scale: [1.6, 1] });
    });
    $session.subscribe((session) => {
      this.#showUser(session.state === 'signed-in' ? session.user.email : null);
    });
    const solidify = () => {
      this.toggleAttribute('data-solid', window.scrollY > 20);
    };
    solidify();
    window.addEventListener('scroll', solidify, { passive: true });
    document.addEventListener('click', (event) => {
      this.#closeMenus(event.target);
    });
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#closeMenus(null);
    });
    this.addEventListener('click', (event) => {
      this.#act(event);
    });
    this.#openUnderShop();
  }

  /** The categories open below Shop for a mouse that comes near, and for keys that reach it. */
  #openUnderShop(): void {
    const shop = this.querySelector<HTMLElement>('[data-shop-menu]');
    const menu = shop?.querySelector('details');
    if (!shop || !menu) return;
    for (const type of ['pointerenter', 'pointerleave'] as const)
      shop.addEventListener(type, ({ pointerType }) => {
        if (pointerType === 'mouse') menu.open = type === 'pointerenter';
      });
    shop.addEventListener('focusin', ({ target }) => {
      if (target instanceof Element && target.matches('a:focus-visible')) menu.open = true;
    });
    shop.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && shop.contains(relatedTarget))) menu.open = false;
    });
  }

  #showCount(count: number): void {
    for (const badge of this.querySelectorAll<HTMLElement>('[data-cart-count]')) {
      badge.hidden = count === 0;
      badge.textContent = count > 99 ? '99+' : String(count);
    }
    const label = count === 0 ? 'Cart' : `Cart, ${String(count)} ${count === 1 ? 'item' : 'items'}`;
    this.querySelector('[data-cart-link]')?.setAttribute('aria-label', label);
  }

  #showUser(email: string | null): void {
    for (const part of this.querySelectorAll<HTMLElement>('[data-signed-in]'))
      part.hidden = email === null;
    for (const part of this.querySelectorAll<HTMLElement>('[data-signed-out]'))
      part.hidden = email !== null;
    for (const part of this.querySelectorAll('[data-email]')) part.textContent = email ?? '';
  }

  /** Closes the menus that `target` is not in; focus left inside one goes back to its button. */
  #closeMenus(target: EventTarget | null): void {
    for (const menu of this.querySelectorAll<HTMLDetailsElement>('[data-menu][open]')) {
      if (target instanceof Node && menu.contains(target)) continue;
      const held = menu.contains(document.activeElement);
      menu.open = false;
      if (held) menu.querySelector('summary')?.focus();
    }
  }

  #act(event: MouseEvent): void {
    if (!(event.target instanceof Element)) return;
    if (event.target.closest('[data-logout]')) void logOut();
    const profile = event.target.closest('[data-profile]');
    if (!profile || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    this.#closeMenus(null);
    void openAccount();
  }
}

/** Loads supabase-js, which only signing out needs on browse pages. */
async function logOut(): Promise<void> {
  await (await import('#stores/sign-out.ts')).signOutAndLeave();
}

/** The dialog is React and loads on demand. If it does not load, opens the page with the same content. */
async function openAccount(): Promise<void> {
  try {
    const { openAccountDialog } = await import('#islands/account/open-account-dialog.ts');
    await openAccountDialog();
  } catch {
    window.location.assign('/profile');
  }
}

customElements.define('site-header', SiteHeader);
