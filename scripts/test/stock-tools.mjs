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

/** The folder that holds `node_modules`. Throws an `Error` with the end of npm's output. */
export const ensureStockTools = () => installed(FOLDER)

/** The MCP Inspector, apart: it brings a web application that nothing else of the suite needs. */
export const ensureInspector = () => installed(join(FOLDER, 'inspector'))

function installed(folder) {
  const marker = join(folder, 'node_modules', '.sonde-installed')
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return folder
  // Standard error: a test's standard output belongs to the runner.
  process.stderr.write('Installing stock tools for the suite "tools"…\n')
  const args = ['ci', '--no-fund', '--no-audit', '--loglevel=error']
  const done = spawnSync('npm', args, { cwd: folder, env: toolEnv(), encoding: 'utf8' })
  if (done.status !== 0) {
    const why = done.error?.message ?? done.stderr.trim().split('\n').slice(-8).join('\n')
    throw new Error(`npm ci in ${folder} failed: ${why}`)
  }
  writeFileSync(marker, wanted)
  return folder
}
