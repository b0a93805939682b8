// @ts-check
{
  const band = document.currentScript?.previousElementSibling;
  if (band instanceof HTMLElement) {
    const { from, until } = band.dataset;
    band.hidden = Date.now() < Number(from) || Date.now() >= Number(until);
  }
}
