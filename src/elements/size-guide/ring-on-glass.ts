import { cardWidth, ringSize } from '#domain/catalogue/size-guide.ts';

/** Draws a ring's hole at its true size, after the screen was compared with a bank card. */
class RingOnGlass extends HTMLElement {
  connectedCallback(): void {
    const [card, ring] = this.querySelectorAll('input');
    const output = this.querySelector('output');
    if (!card || !ring || !output) return;
    // A millimetre has more pixels on a phone than the 96 an inch that CSS assumes.
    if (matchMedia('(pointer: coarse)').matches) card.value = '290';
    const draw = () => {
      const { size, across, otherwise } = ringSize(ring.valueAsNumber);
      const hole = (across * card.valueAsNumber) / cardWidth;
      this.style.setProperty('--card', `${card.value}px`);
      this.style.setProperty('--hole', `${String(hole)}px`);
      output.value = `Size ${size}: ${String(across)} mm across, ${otherwise}`;
    };
    this.oninput = draw;
    draw();
  }
}

customElements.define('ring-on-glass', RingOnGlass);
