/**
 * The stock bundlers, plugins and SDKs of tests/stock-tools, installed by the lock file that stands there. They are no
 * workspace of the root: a product that only talks to them must not carry them. A second call finds what the first one
 * made.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, toolEnv } from '../setup.mjs'

const FOLDER = join(ROOT, 'tests', 'stock-tools')
const MARKER = join(FOLDER, 'node_modules', '.sonde-installed')

/** The folder that holds `node_modules`. Throws an `Error` with the end of npm's output. */
export function ensureStockTools() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(FOLDER, 'package-lock.json')))
    .digest('hex')
  if (existsSync(MARKER) && readFileSync(MARKER, 'utf8') === wanted) return FOLDER
  // Standard error: a test's standard output belongs to the runner.
  process.stderr.write('Installing the stock tools for the suite "tools"…\n')
  const args = ['ci', '--no-fund', '--no-audit', '--loglevel=error']
  const done = spawnSync('npm', args, { cwd: FOLDER, env: toolEnv(), encoding: 'utf8' })
  if (done.status !== 0) {
    const why = done.error?.message ?? done.stderr.trim().split('\n').slice(-8).join('\n')
    throw new Error(`npm ci in ${FOLDER} failed: ${why}`)
  }
  writeFileSync(MARKER, wanted)
  return FOLDER
}
