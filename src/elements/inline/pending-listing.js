// @ts-check
if (/[?&](q|search|sort|metal|stone|price|stock)=/u.test(location.search))
  document.documentElement.dataset['listing'] = 'pending';
