/** Pages that are of no organization, each with the reason, and forms of a person's own. */
/** Nobody's in particular: no name of an organization, no row of one. Words of forms that are about the person alone. */
export const NOBODYS_PAGES: Readonly<Record<string, string>> = {
  '/settings/authorize':
    'what is asked for stands in its address; the organization is one of the viewer’s own',
  '/settings/mcp': 'says the address of this Sonde, the same to everybody',
  '/settings/theme': 'sets a cookie of the browser that asks',
  '/settings/invitation': 'its token alone says to which organization it leads',
  '/settings/confirm-address': 'its token alone says whom it is about',
  '/settings/shared/[token]': 'its token alone says which issue it shows',
  '/settings/unsubscribe': 'its token alone says whom it is about',
  '/status/[page]': 'public: shows what its owners chose and named',
  '/status/[page]/history': 'public: shows what its owners posted',
  '/status/[page]/feed.atom': 'public: shows what its owners posted',
  '/status/[page]/summary.json': 'public: shows what its owners chose and named',
  '/status/[page]/subscribe': 'public: says the same of every address',
  '/status/[page]/confirm': 'its token alone says whom it is about',
  '/status/[page]/unsubscribe': 'its token alone says whom it is about',
  '/sign-in': 'for who is not signed in',
  '/sign-in/code': 'for who is not signed in',
  '/sign-in/forgot': 'for who is not signed in',
  '/sign-in/new-password': 'its token alone says whom it is about',
  '/sign-in/sso': 'for who is not signed in',
  '/sign-in/sso/[org]':
    'for who is not signed in; says the same of every organization without single sign-on',
  '/sign-out': 'ends the session that asks',
}
export const OWN_WORDS: ReadonlySet<string> = new Set([
  'name',
  'password',
  'read-all',
  'usual',
  'other-sessions',
  'email',
  'passkey',
  'passkey-remove',
  'two-factor-start',
  'two-factor-confirm',
  'two-factor-codes',
  'two-factor-off',
])
