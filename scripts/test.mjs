/**
 * `npm test`: sets up what the suites need and runs them. `npm test -- unit e2e` runs some of them;
 * `npm test -- unit --only packages/log` narrows the files. Ends with `N passed, N failed, N skipped`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuild, ensureDependencies, NODE, ROOT, toolEnv } from './setup.mjs'
import { ensureChromium } from './test/chromium.mjs'
import { ensureFirefox } from './test/firefox.mjs'
import { runFiles } from './test/run-files.mjs'
import { ensureStockTools } from './test/stock-tools.mjs'
import { SUITES } from './test/suites.mjs'

const args = process.argv.slice(2)
const only = args.includes('--only') ? args.splice(args.indexOf('--only'), 2)[1] : undefined
const unknown = args.filter((name) => !SUITES.some((suite) => suite.name === name))
if (unknown.length > 0) {
  process.stderr.write(
    `no suite is called ${unknown.join(', ')}; there are ${SUITES.map((s) => s.name).join(', ')}\n`,
  )
  process.exit(2)
}

ensureDependencies()
ensureBuild()
const wanted = SUITES.filter((suite) => args.length === 0 || args.includes(suite.name))
if (wanted.some((suite) => ['browser', 'compat', 'e2e', 'tools'].includes(suite.name))) ensureChromium()
if (wanted.some((suite) => suite.name === 'browser')) ensureFirefox()
if (wanted.some((suite) => suite.name === 'tools')) ensureStockTools()

const scratch = mkdtempSync(join(tmpdir(), 'sonde-test-'))
const total = { passed: 0, failed: 0, skipped: 0 }
const unsteady = []
for (const suite of wanted) {
  const startedMs = Date.now()
  process.stdout.write(`\n── ${suite.name} ──\n`)
  const counts = suite.command ? runCommand(suite) : runFiles(suite, filesOf(suite), scratch)
  for (const key of Object.keys(total)) total[key] += counts[key]
  unsteady.push(...(counts.unsteady ?? []))
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(0)
  process.stdout.write(
    `${suite.name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped, ${seconds} s\n`,
  )
}
rmSync(scratch, { recursive: true, force: true })
if (unsteady.length > 0) process.stdout.write(`\nfailed first and passed alone: ${unsteady.join(', ')}\n`)
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`)
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)

/** One line of output per check is one result. */
function runCommand(suite) {
  const done = spawnSync(NODE, suite.command, { cwd: ROOT, env: toolEnv(), encoding: 'utf8' })
  process.stdout.write(done.stdout + done.stderr)
  const passed = (done.stdout.match(/^ok {2}/gm) ?? []).length
  const failed = (done.stdout.match(/^FAIL /gm) ?? []).length
  return { passed, failed: failed === 0 && done.status !== 0 ? 1 : failed, skipped: 0 }
}

/** Files of a suite, or those of them below `--only`. */
function filesOf(suite) {
  return suite.files
    .flatMap((pattern) => glob(pattern))
    .filter((path) => only === undefined || path.startsWith(only))
    .sort()
}

/** Asks Node 24, which is installed by now: Node 20 has no `fs.globSync`. */
function glob(pattern) {
  const script = `console.log(JSON.stringify(require('fs').globSync(${JSON.stringify(pattern)})))`
  return JSON.parse(spawnSync(NODE, ['-e', script], { cwd: ROOT, encoding: 'utf8' }).stdout)
}
