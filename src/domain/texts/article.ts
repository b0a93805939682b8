/** The English article before a number in digits: 'an' before 8, 11, 18 and what begins like them (80, 11,000), else 'a'. */
export const articleOf = (count: number): 'a' | 'an' =>
  /^(?:8|1[18](?:\d{3})*$)/u.test(String(count)) ? 'an' : 'a';
