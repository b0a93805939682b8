// @ts-check
// In the language of 2011: browsers read it for which nothing else here is written.
(function () {
  var script = document.currentScript;
  var needs = (script && script.getAttribute('data-needs')) || '';
  var isBelow = needs.split(' ').some(function (name) {
    return !(name in window);
  });
  if (isBelow) {
    // No script after this one runs, and what the page has for browsers without scripts appears.
    var policy = document.createElement('meta');
    policy.httpEquiv = 'content-security-policy';
    policy.content = "script-src 'none'";
    document.head.appendChild(policy);
    document.documentElement.classList.add('no-scripts');
    document.addEventListener('DOMContentLoaded', function () {
      [].forEach.call(
        document.querySelectorAll('noscript'),
        function (/** @type {Element} */ part) {
          part.outerHTML = part.textContent || '';
        },
      );
    });
  } else if (!('ariaLabel' in Element.prototype)) {
    // Firefox up to 118.
    var names = {
      ariaBusy: 'aria-busy',
      ariaCurrent: 'aria-current',
      ariaInvalid: 'aria-invalid',
      ariaLabel: 'aria-label',
      ariaPressed: 'aria-pressed',
    };
    Object.entries(names).forEach(function (entry) {
      Object.defineProperty(Element.prototype, entry[0], {
        /** @this {Element} */
        get: function () {
          return this.getAttribute(entry[1]);
        },
        /** @this {Element} @param {string | null} value */
        set: function (value) {
          if (value === null) this.removeAttribute(entry[1]);
          else this.setAttribute(entry[1], value);
        },
      });
    });
  }
})();
