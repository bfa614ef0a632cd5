/**
 * `npm test`: sets up what the suites need and runs them; what passed with the same inputs before does not run again.
 * `npm test -- --all` runs everything, `npm test -- unit e2e` some of it, `npm test -- unit --only packages/log` the
 * files below a folder. Ends with `N passed, N failed, N skipped`.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuild, ensureDependencies, NODE, ROOT, toolEnv } from './setup.mjs'
import { ensureTools } from './test/ensure-tools.mjs'
import { createGreenRuns } from './test/green-runs.mjs'
import { jobsOf, longestFirst } from './test/jobs.mjs'
import { makeMemoryFolder } from './test/memory-folder.mjs'
import { createReport } from './test/report.mjs'
import { runJob } from './test/run-job.mjs'
import { runJobs } from './test/run-jobs.mjs'
import { SUITES } from './test/suites.mjs'

// Two cores are what it is measured on; more at once need more memory than a small machine has.
const CORES = 2
// More than these are no accident of a busy machine.
const MAX_SECOND_TRIES = 3

const args = process.argv.slice(2)
const only = args.includes('--only') ? args.splice(args.indexOf('--only'), 2)[1] : undefined
const isAll = args.includes('--all') && args.splice(args.indexOf('--all'), 1).length > 0
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
const scratch = mkdtempSync(join(tmpdir(), 'sonde-test-'))
// Node keeps the compiled modules there, and TypeScript with its types stripped.
const env = { NODE_COMPILE_CACHE: join(ROOT, '.cache', 'compiled') }
const memory = makeMemoryFolder()
process.on('exit', () => memory && rmSync(memory, { recursive: true, force: true }))
let folders = 0
const greenRuns = createGreenRuns()
const report = createReport()
const jobs = wanted.flatMap((suite) => jobsOf(suite, only))
report.expect(jobs)

const toRun = jobs.filter((job) => {
  const green = greenRuns.find(job)
  if (!green || isAll || only !== undefined) return true
  report.unchanged(job, green)
  return false
})
const failures = []
const tools = new Set(toRun.flatMap(({ suite }) => suite.needs ?? []))
const order = longestFirst(toRun, greenRuns.lastMs)
await runJobs(order, CORES, ensureTools([...tools]), async (job) => {
  const result = job.suite.command ? await runCommand(job.suite) : await runTests(job)
  const failed = job.files.filter((file) => result.counts[file]?.failed > 0)
  failures.push(...failed.map((file) => ({ job, file, counts: result.counts[file] })))
  if (failed.length === 0) greenRuns.remember(job, result.counts)
  report.ended(job, result)
})
for (const suite of wanted.filter((one) => one.secondTry)) {
  const failed = failures.filter(({ job }) => job.suite === suite)
  if (failed.length > MAX_SECOND_TRIES) continue
  for (const { file, counts } of failed) {
    const again = { suite, name: file, files: [file] }
    report.endedAgain(again, await runTests(again), counts)
  }
}
rmSync(scratch, { recursive: true, force: true })
process.exit(report.close() ? 0 : 1)

async function runTests({ suite, files }) {
  const limited = { files, timeoutMs: suite.timeoutMs + (files.length - 1) * 10_000 }
  const own = { ...env, ...suite.env }
  if (!memory || suite.onDisk) return runJob(limited, scratch, own)
  const TMPDIR = join(memory, String(++folders))
  mkdirSync(TMPDIR)
  const result = await runJob(limited, scratch, { ...own, TMPDIR })
  rmSync(TMPDIR, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  return result
}

/** One line of output per check is one result. */
function runCommand(suite) {
  return new Promise((resolve) => {
    const startedMs = Date.now()
    const child = spawn(NODE, suite.command, { cwd: ROOT, env: toolEnv(env) })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.once('close', (code) => {
      const passed = (output.match(/^ok {2}/gm) ?? []).length
      const failed = (output.match(/^FAIL /gm) ?? []).length
      const ms = Date.now() - startedMs
      const counts = { passed, failed: failed === 0 && code !== 0 ? 1 : failed, skipped: 0, ms }
      resolve({ counts: { [suite.name]: counts }, output, ms })
    })
  })
}
