/** Firefox over WebDriver BiDi: playwright's own build of it cannot be installed from a distribution. */
import { existsSync } from 'node:fs'
import puppeteer, { type Browser } from 'puppeteer-core'

const PLACES = ['/usr/bin/firefox-esr', '/usr/bin/firefox']

/** Path of the browser: `SONDE_FIREFOX`, or where Linux distributions put it. @throws when there is none */
export function launchFirefox(): Promise<Browser> {
  const executablePath = process.env['SONDE_FIREFOX'] ?? PLACES.find((place) => existsSync(place))
  if (executablePath === undefined)
    throw new Error('no Firefox found; install it or set SONDE_FIREFOX to its path')
  return puppeteer.launch({ browser: 'firefox', executablePath, headless: true })
}
