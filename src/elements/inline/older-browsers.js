// @ts-check
// In the language of 2016: every browser that runs modules can read it.
{
  const script = document.currentScript;
  const needs = script ? String(script.getAttribute('data-needs')).split(' ') : [];
  if (needs.some((name) => !(name in window))) {
    // No script after this one runs, and what the page has for browsers without scripts appears.
    const policy = document.createElement('meta');
    policy.httpEquiv = 'content-security-policy';
    policy.content = "script-src 'none'";
    document.head.appendChild(policy);
    document.documentElement.classList.add('no-scripts');
    document.addEventListener('DOMContentLoaded', () => {
      for (const note of document.querySelectorAll('[data-older-browser]'))
        note.removeAttribute('hidden');
      for (const part of document.querySelectorAll('noscript'))
        part.outerHTML = part.textContent || '';
    });
  } else if (!('ariaLabel' in Element.prototype)) {
    // Firefox up to 118 has attributes alone.
    const attributes = {
      ariaBusy: 'aria-busy',
      ariaCurrent: 'aria-current',
      ariaInvalid: 'aria-invalid',
      ariaLabel: 'aria-label',
      ariaPressed: 'aria-pressed',
    };
    for (const [property, name] of Object.entries(attributes))
      Object.defineProperty(Element.prototype, property, {
        /** @this {Element} */
        get() {
          return this.getAttribute(name);
        },
        /** @this {Element} @param {string | null} value */
        set(value) {
          if (value === null) this.removeAttribute(name);
          else this.setAttribute(name, value);
        },
      });
  }
}
