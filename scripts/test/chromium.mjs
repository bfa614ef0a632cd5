/** Finds a Chromium for the browser tests and the demo; on Debian, as root, installs one. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { run } from '../setup.mjs'

const PLACES = [
  process.env.SONDE_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/** Sets `SONDE_CHROMIUM` for the suites, or ends with what to do. Without the headless shell the suites take longer. */
export function ensureChromium() {
  const isDebianRoot = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0
  let found = PLACES.find((path) => path && existsSync(path))
  if (isDebianRoot && !(found && existsSync(HEADLESS_SHELL))) {
    process.stdout.write('Installing Chromium…\n')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const install = ['install', '-y', '-qq', '--no-install-recommends']
    run('apt-get', ['update', '-qq'], { env })
    if (!found) run('apt-get', [...install, 'chromium'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    // Older distributions have no package of it.
    spawnSync('apt-get', [...install, 'chromium-headless-shell'], { env, stdio: 'ignore' })
    found ??= '/usr/bin/chromium'
  }
  if (!found) {
    process.stderr.write('Chromium or Chrome is needed: install one, or name it in SONDE_CHROMIUM.\n')
    process.exit(1)
  }
  process.env.SONDE_CHROMIUM = found
}
