/**
 * An inline script of every page: a card's image grows into its product page's, and shrinks back. Inline, because the next page is
 * revealed before its script files have come. The stylesheet names the product page's own image; from one product to another the
 * image grows on the new page, whatever cards lead back. A skipped transition (the phone was turned) is no error.
 */
export const pageTransitions =
  "for(const k of['pageswap','pagereveal'])addEventListener(k,e=>{" +
  'const t=e.viewTransition;if(!t)return;t.ready.catch(()=>{});' +
  "const own=document.querySelector('.gallery-slides img');" +
  "const url=k==='pageswap'?e.activation?.entry.url:own?null:navigation.activation?.from?.url;" +
  'const path=url&&new URL(url).pathname;' +
  `const image=path?.startsWith('/product/')&&document.querySelector('.card-image[href="'+CSS.escape(path)+'"] img');` +
  'if(!image)return;' +
  "if(own)own.style.viewTransitionName='none';" +
  "image.style.viewTransitionName='product';" +
  "t.finished.finally(()=>{image.style.viewTransitionName='';if(own)own.style.viewTransitionName=''})})";
