/** What of a suite runs in one process. */
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { NODE, ROOT } from '../setup.mjs'

/** `{ suite, name, files }` each. */
export function jobsOf(suite, only) {
  if (suite.command) return only === undefined ? [{ suite, name: suite.name, files: [] }] : []
  const files = suite.files.flatMap((pattern) => glob(pattern)).sort()
  const alone = suite.alone ?? []
  const moved = alone.filter((path) => !files.some((file) => file.startsWith(path)))
  if (moved.length > 0) throw new Error(`scripts/test/suites.mjs: nothing is at ${moved.join(', ')}`)
  const groups = new Map()
  for (const file of files.filter((path) => only === undefined || path.startsWith(only))) {
    const name = alone.some((path) => file.startsWith(path)) ? file : (suite.together?.(file) ?? file)
    groups.set(name, [...(groups.get(name) ?? []), file])
  }
  return [...groups].map(([name, group]) => ({ suite, name, files: group }))
}

/**
 * Those of a suite that take longest first, suites in their order: what is left for the end is short, so that none of
 * the slots waits long for the other. Of a job that was never green the length of its text says how much there is to do;
 * one below a path in `suite.first` has more than its text says.
 */
export function longestFirst(jobs, lastMs, bytesOf = sizeOf) {
  const suites = [...new Set(jobs.map(({ suite }) => suite))]
  return suites.flatMap((suite) =>
    jobs
      .filter((job) => job.suite === suite)
      .map((job) => ({ job, ms: lastMs(job) ?? guessedMs(job, bytesOf) }))
      .sort((a, b) => b.ms - a.ms)
      .map(({ job }) => job),
  )
}

function guessedMs(job, bytesOf) {
  const isFirst = job.suite.first?.some((path) => job.files.some((file) => file.startsWith(path)))
  return isFirst ? Infinity : bytesOf(job) * MS_PER_BYTE
}

// A guess, and only as good as it has to be: some ten seconds for a file of some 6 kB.
const MS_PER_BYTE = 10_000 / 6_000
const sizeOf = ({ files }) => files.reduce((sum, file) => sum + statSync(join(ROOT, file)).size, 0)

/** Asks Node 24, which is installed by now: Node 20 has no `fs.globSync`. */
function glob(pattern) {
  const script = `console.log(JSON.stringify(require('fs').globSync(${JSON.stringify(pattern)})))`
  return JSON.parse(spawnSync(NODE, ['-e', script], { cwd: ROOT, encoding: 'utf8' }).stdout)
}
