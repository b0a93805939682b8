/* The texts for a browser whose storage is full, blocked or missing: neither a cart nor a login reaches the next page. */

export const unkeptWords =
  'Your browser keeps no data for this shop. Allow site data in its settings, or open the shop in another browser.';
