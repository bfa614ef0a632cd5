/** One Chromium for all browser tests of a file. */
import { existsSync } from 'node:fs'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Path of the browser: `SONDE_CHROMIUM`, or where Linux distributions put it. @throws when there is none */
export function chromiumPath(): string {
  const path = process.env['SONDE_CHROMIUM'] ?? PLACES.find((place) => existsSync(place))
  if (path === undefined) throw new Error('no Chromium found; install it or set SONDE_CHROMIUM to its path')
  return path
}

export function launchChromium(options: Pick<LaunchOptions, 'ignoreDefaultArgs'> = {}): Promise<Browser> {
  return chromium.launch({
    ...options,
    executablePath: chromiumPath(),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
