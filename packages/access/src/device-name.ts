/** What a person calls a browser. Only for reading: a user agent may say anything. */

/** From a browser's own words. */
type Named = readonly [pattern: RegExp, name: string]

/** The first that matches: most of them say that they are Chrome and Safari too. */
const BROWSERS: readonly Named[] = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/, 'Edge'],
  [/\b(?:OPR|Opera)\/(\d+)/, 'Opera'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d{1,6})[\d.]{0,20} (?:Mobile\/\S{1,20} )?Safari\//, 'Safari'],
  [/^curl\/(\d+)/, 'curl'],
]

const SYSTEMS: readonly Named[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** `Firefox 140 on Windows`; undefined when neither is known. */
export function deviceName(userAgent: string): string | undefined {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1]
  const version = browser?.[0].exec(userAgent)?.[1]
  const name = browser && `${browser[1]} ${version}`
  if (name === undefined) return system === undefined ? undefined : `A browser on ${system}`
  return system === undefined ? name : `${name} on ${system}`
}
