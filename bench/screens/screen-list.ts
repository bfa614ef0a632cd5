/** The screens that are measured. */

export type Screen = { readonly name: string; readonly path: string }
/** Short ids: of the issue with the most events, and of one with few. */
export type KnownIssues = { readonly largest: string; readonly usual: string; readonly rareWord: string }

const LIST = '/acme/shop/issues'
const search = (query: string, more = ''): string =>
  `${LIST}?query=${encodeURIComponent(`is:unresolved ${query}`)}${more}`

export function screenList({ largest, usual, rareWord }: KnownIssues): readonly Screen[] {
  return [
    { name: 'issues, last seen', path: LIST },
    { name: 'issues, first seen', path: `${LIST}?sort=new` },
    { name: 'issues, events', path: `${LIST}?sort=freq` },
    { name: 'issues, users', path: `${LIST}?sort=user` },
    { name: 'issues, events within 14 days', path: `${LIST}?sort=freq&statsPeriod=14d` },
    { name: 'issues, users within 14 days', path: `${LIST}?sort=user&statsPeriod=14d` },
    { name: 'issues, all, last seen', path: `${LIST}?query=` },
    { name: 'issues, all, events', path: `${LIST}?query=&sort=freq` },
    { name: 'text, one issue', path: search(rareWord) },
    { name: 'text, in every ninth', path: search('coupon') },
    { name: 'text, nowhere', path: search('"no such words"') },
    { name: 'text, one letter more than two', path: search('zor') },
    { name: 'text, by events', path: search('coupon', '&sort=freq') },
    { name: 'level:fatal', path: search('level:fatal') },
    { name: 'firstRelease:', path: search('firstRelease:shop@4.20.0') },
    { name: 'release:', path: search('release:shop@4.20.0') },
    { name: 'environment=staging', path: `${LIST}?environment=staging` },
    { name: 'environment=production', path: `${LIST}?environment=production` },
    { name: 'browser.name: of most', path: search('browser.name:Chrome') },
    { name: 'browser.name: of few', path: search('browser.name:Opera') },
    { name: '!browser.name:', path: search('!browser.name:Chrome') },
    { name: 'a tag of the application', path: search('region:eu-1') },
    { name: '! such a tag', path: search('!region:eu-1') },
    { name: 'user.email:', path: search('user.email:person4711@example.com') },
    { name: 'user.email: with *', path: search('user.email:*4711@example*') },
    { name: 'user.ip:', path: search('user.ip:10.7.3.7') },
    { name: 'release: and browser.name:', path: search('release:shop@4.20.0 browser.name:Firefox') },
    { name: 'all projects', path: '/acme/issues' },
    { name: 'all projects, events', path: '/acme/issues?sort=freq' },
    { name: 'all projects, users', path: '/acme/issues?sort=user' },
    { name: 'all projects, text', path: '/acme/issues?query=is%3Aunresolved+coupon' },
    { name: 'an issue', path: `${LIST}/${usual}` },
    { name: 'the largest issue', path: `${LIST}/${largest}` },
    { name: 'the largest issue, events', path: `${LIST}/${largest}/events` },
    { name: 'the largest issue, browsers', path: `${LIST}/${largest}/tags/browser.name` },
    { name: 'the largest issue, users', path: `${LIST}/${largest}/tags/user` },
    { name: 'an issue, browsers', path: `${LIST}/${usual}/tags/browser.name` },
    { name: 'projects', path: '/acme' },
  ]
}
