/** Swiping is the browser's own scrolling; this adds thumbnails, arrow keys and a large view to it. */
class ProductGallery extends HTMLElement {
  #index = 0;

  connectedCallback(): void {
    const slides = this.#slides;
    if (!slides) return;
    this.addEventListener('click', (event) => { this.#act(event); });
    slides.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      this.#show(this.#index + step);
    });
    const wake = () => { this.dataset['awake'] = ''; };
    for (const kind of ['pointermove', 'pointerdown', 'scroll', 'keydown']) {
      window.addEventListener(kind, wake, { once: true, passive: true });
    }
    const seen = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (isIntersecting) this.#mark([...slides.children].indexOf(target));
        }
      },
      { root: slides, threshold: 0.6 },
    );
    for (const slide of slides.children) seen.observe(slide);
  }

  get #slides(): HTMLElement | null {
    return this.querySelector('[data-slides]');
  }

  #show(index: number): void {
    const slides = this.#slides;
    const slide = slides?.children[index];
    if (!slides || !(slide instanceof HTMLElement)) return;
    slides.scrollTo({ left: slide.offsetLeft - slides.offsetLeft });
    this.#mark(index);
  }

  #mark(index: number): void {
    this.#index = index;
    for (const thumb of this.querySelectorAll<HTMLElement>('[data-show]')) {
      if (thumb.dataset['show'] === String(index)) thumb.setAttribute('aria-current', 'true');
      else thumb.removeAttribute('aria-current');
    }
  }

  #act(event: MouseEvent): void {
    if (!(event.target instanceof Element)) return;
    const thumb = event.target.closest<HTMLElement>('[data-show]');
    if (thumb) this.#show(Number(thumb.dataset['show']));
    const link = event.target.closest<HTMLAnchorElement>('[data-zoom]');
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void import('./picture-zoom.ts').then(({ openZoom }) => {
      openZoom(link.href, link.querySelector('img')?.alt ?? '');
    });
  }
}

customElements.define('product-gallery', ProductGallery);
