/** Finds a Firefox for the tests of the reporter; on Debian, as root, installs one. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { run } from '../setup.mjs'

const PLACES = [
  process.env.SONDE_FIREFOX,
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
]

/** Sets `SONDE_FIREFOX` for the suites, or ends with what to do. */
export function ensureFirefox() {
  let found = PLACES.find((path) => path && existsSync(path))
  if (!found && process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    process.stdout.write('Installing Firefox for the browser tests…\n')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    run('apt-get', ['update', '-qq'], { env })
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'firefox-esr'], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    found = '/usr/bin/firefox-esr'
  }
  if (!found) {
    process.stderr.write('The tests of the reporter need Firefox: install it, or name it in SONDE_FIREFOX.\n')
    process.exit(1)
  }
  process.env.SONDE_FIREFOX = found
}
