// @ts-check
{
  /** The page before, which is another one each time this one comes out of the browser's cache. */
  const previousUrl = () => ('navigation' in window ? navigation.activation?.from?.url : null);
  /** @param {string | null | undefined} url */
  const productPath = (url) => {
    const path = url ? new URL(url).pathname : '';
    return path.startsWith('/product/') ? path : null;
  };

  const previous = previousUrl();
  // A busy phone reveals a page before its cards are parsed, so that no image could take part: it waits for the element behind <main>.
  if (previous && (productPath(previous) ?? productPath(location.href))) {
    const expected = document.createElement('link');
    expected.rel = 'expect';
    expected.setAttribute('blocking', 'render');
    expected.href = '#toasts';
    document.head.append(expected);
  }

  /** @param {ViewTransition | null} transition @param {string | null | undefined} url */
  const growCard = (transition, url) => {
    if (!transition) return;
    // A transition is skipped when the phone is turned: no error.
    transition.ready.catch(() => undefined);
    const path = productPath(url);
    /** @type {HTMLElement | null} */
    const image = path
      ? document.querySelector(`.card-image[href="${CSS.escape(path)}"] img`)
      : null;
    if (!image) return;
    /** @type {HTMLElement | null} */
    const own = document.querySelector('.gallery-slides img');
    if (own) own.style.viewTransitionName = 'none';
    image.style.viewTransitionName = 'product';
    void transition.finished.finally(() => {
      image.style.viewTransitionName = '';
      if (own) own.style.viewTransitionName = '';
    });
  };

  window.addEventListener('pageswap', ({ viewTransition, activation }) => {
    growCard(viewTransition, activation?.entry.url);
  });
  window.addEventListener('pagereveal', ({ viewTransition }) => {
    // A product's page shows its own image, whatever cards lead back.
    const hasOwn = document.querySelector('.gallery-slides img') !== null;
    growCard(viewTransition, hasOwn ? null : previousUrl());
  });
}
