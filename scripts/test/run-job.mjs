/** Runs test files in one process of Node's test runner, and says what came of each of them. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NODE, ROOT, toolEnv } from '../setup.mjs'

const ENTRY = join(ROOT, 'scripts/test/test-process.mjs')
const running = new Set()
// Each leads a group of processes, so that the Sondes and browsers that a test started go with it.
const endAll = () => running.forEach(endGroup)
process.on('exit', endAll)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))

let jobs = 0

/**
 * Resolves with `{ counts, output }`: counts by file, output for when something failed. A process that ends badly, or
 * not within `timeoutMs`, has at least one failure.
 */
export async function runJob({ files, timeoutMs }, scratch, env = {}) {
  const countsFile = join(scratch, `counts-${++jobs}.json`)
  const startedMs = Date.now()
  const { output, code, isLate } = await endOf(
    [
      '--test',
      '--test-isolation=none',
      // Published packages resolve to their sources, not to a build that may be old.
      '--conditions=@sonde/source',
      // A failed test that left a server or a child open must not keep everything waiting.
      '--test-force-exit',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      `--test-reporter=${join(ROOT, 'scripts/test/count-reporter.mjs')}`,
      `--test-reporter-destination=${countsFile}`,
      ENTRY,
    ],
    timeoutMs,
    { ...env, SONDE_TEST_FILES: JSON.stringify(files) },
  )
  const counts = readCounts(countsFile, files)
  // What it is of is in the output: an error after the end of its test, a process that was killed.
  if (code !== 0 && files.every((file) => counts[file].failed === 0)) counts[files[0]].failed++
  const why = isLate ? `\nended after ${timeoutMs / 1000} s: it took too long\n` : ''
  return { counts, output: output + why, ms: Date.now() - startedMs }
}

/**
 * By the names that were given. Tests are counted where they are written: those of a conformance suite count for a file
 * without tests of its own. A file without any has failed; of a process that was killed nothing is known.
 */
function readCounts(countsFile, files) {
  const text = existsSync(countsFile) ? readFileSync(countsFile, 'utf8').trim() : ''
  const { [ENTRY]: entry, ...written } = JSON.parse(text || '{}')
  const counts = {}
  for (const file of files) {
    const known = [join(ROOT, file), file].find((name) => name in written)
    counts[file] = known === undefined ? { passed: 0, failed: 0, skipped: 0, ms: 0 } : written[known]
    delete written[known]
  }
  const isSilent = ({ passed, failed, skipped }) => passed + failed + skipped === 0
  const others = Object.values(written)
  const silent = Object.values(counts).filter(isSilent)
  const heir = silent[0] ?? counts[files[0]]
  for (const more of others) for (const key of Object.keys(more)) heir[key] += more[key]
  // The runner counts a process without any test as one that passed.
  heir.failed += entry?.failed ?? 0
  if (others.length === 0) for (const one of silent.filter(isSilent)) one.failed++
  return counts
}

function endOf(args, timeoutMs, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(NODE, args, {
      cwd: ROOT,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Without the first, a run within a test would report to that test instead.
      env: { ...toolEnv(), NODE_TEST_CONTEXT: undefined, ...env },
    })
    running.add(child)
    let output = ''
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      endGroup(child)
    }, timeoutMs)
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.once('error', reject)
    child.once('exit', () => {
      clearTimeout(late)
      // Also what outlived it: its streams would stay open.
      endGroup(child)
      running.delete(child)
    })
    child.once('close', (code) => resolve({ output, code, isLate }))
  })
}

function endGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Nobody of the group is left.
  }
}
