/**
 * Swiping is the browser's own scrolling; this adds thumbnails and arrow keys to it. Images and
 * thumbnails that come later are taken in as well.
 */
class ProductGallery extends HTMLElement {
  #index = 0;

  connectedCallback(): void {
    const slides = this.querySelector<HTMLElement>('[data-slides]');
    if (!slides) return;
    this.addEventListener('click', ({ target }) => {
      const thumb = (target as Element).closest<HTMLElement>('[data-thumbs] button');
      if (thumb) this.#show(this.#thumbs.indexOf(thumb));
    });
    this.addEventListener('keydown', (event) => {
      this.#step(event, slides);
    });
    const observer = new IntersectionObserver(
      (entries) => {
        // A desktop shows all at once: the first one counts.
        const shown = entries.find(({ isIntersecting }) => isIntersecting);
        if (shown) this.#setCurrent([...slides.children].indexOf(shown.target));
      },
      { root: slides, threshold: 0.6 },
    );
    const watch = () => {
      for (const slide of slides.children) observer.observe(slide);
    };
    watch();
    new MutationObserver(watch).observe(slides, { childList: true });
  }

  get #thumbs(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('[data-thumbs] button')];
  }

  #step(event: KeyboardEvent, slides: HTMLElement): void {
    const last = slides.children.length - 1;
    const to = { ArrowLeft: this.#index - 1, ArrowRight: this.#index + 1, Home: 0, End: last }[
      event.key
    ];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const index = Math.min(Math.max(to, 0), last);
    this.#show(index);
    // Moves the focus along, on a thumbnail or an image's link.
    const focused = document.activeElement;
    if (focused === slides) return;
    const all = focused?.closest('button')
      ? this.#thumbs
      : slides.querySelectorAll<HTMLElement>('a');
    all[index]?.focus({ preventScroll: true });
  }

  #show(index: number): void {
    this.querySelectorAll('[data-slides] > li')[index]?.scrollIntoView({
      block: 'nearest',
      inline: 'start',
    });
    this.#setCurrent(index);
  }

  #setCurrent(index: number): void {
    this.#index = index;
    for (const [at, thumb] of this.#thumbs.entries())
      thumb.ariaCurrent = at === index ? 'true' : null;
  }
}

customElements.define('product-gallery', ProductGallery);
