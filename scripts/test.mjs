/**
 * `npm test`: sets up what the suites need and runs them. `npm test -- unit e2e` runs some of them;
 * `npm test -- unit --only packages/log` narrows the files. Ends with `N passed, N failed, N skipped`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuild, ensureDependencies, NODE, ROOT, toolEnv } from './setup.mjs'
import { ensureChromium } from './test/chromium.mjs'
import { ensureFirefox } from './test/firefox.mjs'
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
if (wanted.some((suite) => ['browser', 'compat', 'e2e'].includes(suite.name))) ensureChromium()
if (wanted.some((suite) => suite.name === 'browser')) ensureFirefox()

const scratch = mkdtempSync(join(tmpdir(), 'sonde-test-'))
const total = { passed: 0, failed: 0, skipped: 0 }
for (const suite of wanted) {
  const startedMs = Date.now()
  process.stdout.write(`\n── ${suite.name} ──\n`)
  const counts = suite.command ? runCommand(suite) : runFiles(suite)
  for (const key of Object.keys(total)) total[key] += counts[key]
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(0)
  process.stdout.write(
    `${suite.name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped, ${seconds} s\n`,
  )
}
rmSync(scratch, { recursive: true, force: true })
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

function runFiles(suite) {
  const files = suite.files
    .flatMap((pattern) => glob(pattern))
    .filter((path) => only === undefined || path.startsWith(only))
    .sort()
  if (files.length === 0) return { passed: 0, failed: 0, skipped: 0 }
  const countsFile = join(scratch, `${suite.name}.json`)
  const done = spawnSync(
    NODE,
    [
      '--test',
      // Published packages resolve to their sources, not to a build that may be old.
      '--conditions=@sonde/source',
      `--test-concurrency=${suite.jobs}`,
      `--test-timeout=${suite.timeoutMs}`,
      // A failed test that left a server or a child open must not keep everything waiting.
      '--test-force-exit',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      `--test-reporter=${join(ROOT, 'scripts/test/count-reporter.mjs')}`,
      `--test-reporter-destination=${countsFile}`,
      ...files,
    ],
    { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], env: toolEnv() },
  )
  const counts = JSON.parse(readFileSync(countsFile, 'utf8').trim() || '{"passed":0,"failed":1,"skipped":0}')
  if (done.status !== 0 && counts.failed === 0) counts.failed = 1
  return counts
}

/** Asks Node 24, which is installed by now: Node 20 has no `fs.globSync`. */
function glob(pattern) {
  const script = `console.log(JSON.stringify(require('fs').globSync(${JSON.stringify(pattern)})))`
  return JSON.parse(spawnSync(NODE, ['-e', script], { cwd: ROOT, encoding: 'utf8' }).stdout)
}
