/**
 * How the browsers, systems and devices that people use name themselves in `User-Agent`. The first match wins, so the
 * ones that imitate others stand before those they imitate. A version has up to three numbers.
 */
export type AgentRule = { readonly name: string; readonly needs: string; readonly version: RegExp }

const VERSION = String.raw`(\d{1,6}(?:[._]\d{1,6}){0,2})`
const after = (name: string, needs: string, token: string): AgentRule => ({
  name,
  needs,
  version: new RegExp(`${token}[/ ]?${VERSION}`),
})

export const BROWSERS: readonly AgentRule[] = [
  after('Googlebot', 'Googlebot', 'Googlebot'),
  after('bingbot', 'bingbot', 'bingbot'),
  after('Edge Mobile', 'EdgA/', 'EdgA'),
  after('Edge Mobile', 'EdgiOS/', 'EdgiOS'),
  after('Edge', 'Edg/', 'Edg'),
  after('Edge', 'Edge/', 'Edge'),
  after('Opera Mobile', 'OPR/', 'Mobile.{0,80}OPR'),
  after('Opera', 'OPR/', 'OPR'),
  after('Opera', 'Opera', 'Version'),
  after('Samsung Internet', 'SamsungBrowser', 'SamsungBrowser'),
  after('Yandex Browser', 'YaBrowser', 'YaBrowser'),
  after('Vivaldi', 'Vivaldi', 'Vivaldi'),
  after('UC Browser', 'UCBrowser', 'UCBrowser'),
  after('Electron', 'Electron', 'Electron'),
  after('Firefox iOS', 'FxiOS', 'FxiOS'),
  after('Chrome Mobile iOS', 'CriOS', 'CriOS'),
  after('HeadlessChrome', 'HeadlessChrome', 'HeadlessChrome'),
  {
    name: 'Firefox Mobile',
    needs: 'Firefox/',
    version: /(?:Mobile|Tablet);.{0,60}Firefox\/(\d{1,6}(?:\.\d{1,6}){0,2})/,
  },
  after('Firefox', 'Firefox/', 'Firefox'),
  after('Chrome Mobile WebView', '; wv)', 'Chrome'),
  {
    name: 'Chrome Mobile',
    needs: 'Chrome/',
    version: /Chrome\/(\d{1,6}(?:\.\d{1,6}){0,2})[\d.]{0,12} Mobile/,
  },
  after('Chrome', 'Chrome/', 'Chrome'),
  after('Mobile Safari', 'Mobile/', 'Version'),
  after('Safari', 'Safari/', 'Version'),
  after('IE', 'MSIE', 'MSIE'),
  { name: 'IE', needs: 'Trident/', version: /rv:(\d{1,6}(?:\.\d{1,6})?)/ },
]

const UNVERSIONED = /()/

export const SYSTEMS: readonly AgentRule[] = [
  after('Windows Phone', 'Windows Phone', 'Windows Phone'),
  after('Windows', 'Windows NT', 'Windows NT'),
  after('iOS', 'iPhone', 'OS'),
  after('iOS', 'iPad', 'OS'),
  after('iOS', 'iPod', 'OS'),
  after('Android', 'Android', 'Android'),
  { name: 'Android', needs: 'Android', version: UNVERSIONED },
  after('Mac OS X', 'Mac OS X', 'Mac OS X'),
  { name: 'Mac OS X', needs: 'Macintosh', version: UNVERSIONED },
  { name: 'Chrome OS', needs: 'CrOS', version: /CrOS \w+ (\d{1,6}(?:\.\d{1,6}){0,2})/ },
  { name: 'Ubuntu', needs: 'Ubuntu', version: UNVERSIONED },
  { name: 'Fedora', needs: 'Fedora', version: UNVERSIONED },
  { name: 'FreeBSD', needs: 'FreeBSD', version: UNVERSIONED },
  { name: 'Linux', needs: 'Linux', version: UNVERSIONED },
]

/** What `Windows NT x` is sold as. Windows 11 does not tell itself from 10 here. */
export const WINDOWS_NAMES: ReadonlyMap<string, string> = new Map([
  ['10.0', '10'],
  ['6.3', '8.1'],
  ['6.2', '8'],
  ['6.1', '7'],
  ['6.0', 'Vista'],
  ['5.1', 'XP'],
])
