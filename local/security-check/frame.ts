/* The page in the frame of a widget: posts the token that the stand-in made for it, at once or after the visitor's press. */
(() => {
  const { token = '', asks = '' } = document.documentElement.dataset;
  const tell = (event: 'asks' | 'token'): void => {
    window.parent.postMessage({ event, token }, '*');
  };
  if (asks === '') {
    tell('token');
    return;
  }
  tell('asks');
  document.querySelector('input')?.addEventListener('change', () => {
    tell('token');
  });
})();
