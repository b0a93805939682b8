/**
 * An inline script of every page: a card's image grows into its product page's, and shrinks back. Inline, because the next page is
 * revealed before its script files have come. The stylesheet names the product page's own image; from one product to another the
 * image grows on the new page, whatever cards lead back. A skipped transition (the phone was turned) is no error.
 *
 * A busy phone reveals a page before its cards are parsed: between two pages of which one is a product's it waits for the element
 * behind <main>, while the page before still stands. Nothing else waits, a first visit least of all.
 */
export const pageTransitions =
  '{const from=self.navigation?.activation?.from?.url;' +
  "if(from&&[from,location.href].some(url=>new URL(url).pathname.startsWith('/product/')))" +
  "document.head.append(Object.assign(document.createElement('link'),{rel:'expect',blocking:'render',href:'#toasts'}))}" +
  "for(const k of['pageswap','pagereveal'])addEventListener(k,e=>{" +
  'const t=e.viewTransition;if(!t)return;t.ready.catch(()=>{});' +
  "const own=document.querySelector('.gallery-slides img');" +
  "const url=k==='pageswap'?e.activation?.entry.url:own?null:self.navigation?.activation?.from?.url;" +
  'const path=url&&new URL(url).pathname;' +
  `const image=path?.startsWith('/product/')&&document.querySelector('.card-image[href="'+CSS.escape(path)+'"] img');` +
  'if(!image)return;' +
  "if(own)own.style.viewTransitionName='none';" +
  "image.style.viewTransitionName='product';" +
  "t.finished.finally(()=>{image.style.viewTransitionName='';if(own)own.style.viewTransitionName=''})})";
