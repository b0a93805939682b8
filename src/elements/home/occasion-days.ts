/**
 * The script right after the occasion's band. It runs before the first paint: the page of an older build is right on the first
 * day and after the last one, and nothing moves.
 */
export const occasionDays =
  '{const{previousElementSibling:b}=document.currentScript,n=Date.now();b.hidden=n<b.dataset.from||n>=b.dataset.until}';
