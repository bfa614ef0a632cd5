/** Runs the test files of a suite with `node --test`, and those of a browser suite that failed once more, alone. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NODE, ROOT, toolEnv } from '../setup.mjs'

// More than these are no accident of a busy machine.
const MAX_SECOND_TRIES = 3

/**
 * `{ passed, failed, skipped, unsteady }`; `unsteady` are files that failed beside others and passed alone. Nothing is
 * hidden: they are printed, and a file that fails twice has failed. Why: docs/decisions/0008.
 */
export function runFiles(suite, files, scratch, output = 'inherit') {
  if (files.length === 0) return { passed: 0, failed: 0, skipped: 0, unsteady: [] }
  const first = runOnce(suite, files, suite.jobs, join(scratch, `${suite.name}.json`), output)
  const failed = Object.keys(first.counts).filter((file) => first.counts[file].failed > 0)
  const known = failed.filter((file) => existsSync(file))
  if (
    !suite.secondTry ||
    failed.length === 0 ||
    failed.length > MAX_SECOND_TRIES ||
    known.length < failed.length
  )
    return { ...sum(first), unsteady: [] }
  process.stdout.write(
    `\n${suite.name}: ${failed.length} failed, once more and alone: ${failed.join(', ')}\n`,
  )
  const second = runOnce(suite, failed, 1, join(scratch, `${suite.name}-again.json`), output)
  const counts = { ...first.counts, ...second.counts }
  const unsteady = failed.filter(
    (file) => second.counts[file]?.failed === 0 && second.counts[file].passed > 0,
  )
  // A file of which nothing was heard the second time has the counts of the first.
  return { ...sum({ counts, isClean: second.isClean }), unsteady }
}

function runOnce(suite, files, jobs, countsFile, output) {
  const { status } = spawnSync(
    NODE,
    [
      '--test',
      // Published packages resolve to their sources, not to a build that may be old.
      '--conditions=@sonde/source',
      `--test-concurrency=${jobs}`,
      `--test-timeout=${suite.timeoutMs}`,
      // A failed test that left a server or a child open must not keep everything waiting.
      '--test-force-exit',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      `--test-reporter=${join(ROOT, 'scripts/test/count-reporter.mjs')}`,
      `--test-reporter-destination=${countsFile}`,
      ...files,
    ],
    {
      cwd: ROOT,
      stdio: ['ignore', output, output],
      // Else a run within a test would report to that test instead.
      env: { ...toolEnv(), NODE_TEST_CONTEXT: undefined },
    },
  )
  const text = existsSync(countsFile) ? readFileSync(countsFile, 'utf8').trim() : ''
  return { counts: JSON.parse(text || '{}'), isClean: status === 0 }
}

function sum({ counts, isClean }) {
  const total = { passed: 0, failed: 0, skipped: 0 }
  for (const each of Object.values(counts)) for (const key of Object.keys(total)) total[key] += each[key]
  if (!isClean && total.failed === 0) total.failed = 1
  return total
}
