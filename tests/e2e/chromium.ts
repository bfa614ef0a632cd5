/** The browsers of the tests: Debian's small build of Chromium where there is one, and the full one on demand. */
import { existsSync } from 'node:fs'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** The same engine without the parts of a desktop browser: a page costs a third less processor time. */
const HEADLESS_SHELL = process.env['SONDE_HEADLESS_SHELL'] ?? '/usr/bin/chromium-headless-shell'

/** Path of the full browser: `SONDE_CHROMIUM`, or where distributions put it. @throws when there is none */
export function chromiumPath(): string {
  const path = process.env['SONDE_CHROMIUM'] ?? PLACES.find((place) => existsSync(place))
  if (path === undefined) throw new Error('no Chromium found; install it or set SONDE_CHROMIUM to its path')
  return path
}

type Options = Pick<LaunchOptions, 'ignoreDefaultArgs'>

export function launchChromium(options: Options = {}): Promise<Browser> {
  return launch(existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : chromiumPath(), options)
}

/** For what the small build does not have. */
export function launchFullChromium(options: Options = {}): Promise<Browser> {
  return launch(chromiumPath(), options)
}

function launch(executablePath: string, options: Options): Promise<Browser> {
  return chromium.launch({
    ...options,
    executablePath,
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
