// @ts-check
try {
  if (!localStorage['kasavu:auth'])
    location.replace('/auth?next=' + encodeURIComponent('/profile' + location.hash));
} catch {
  // Without storage nobody is signed in; the page says so.
}
