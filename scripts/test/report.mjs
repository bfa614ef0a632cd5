/** What `npm test` prints: a line per process, the output of one that failed, and sums at the end. */
const SLOWEST = 10

export function createReport(write = (text) => process.stdout.write(text)) {
  const startedMs = Date.now()
  /** Per suite: how many jobs are awaited, what they counted, when the first began and the last ended. */
  const suites = new Map()
  const files = []
  const unsteady = []
  const of = ({ suite }) => suites.get(suite.name)

  const add = (job, counts) => {
    for (const each of Object.values(counts))
      for (const key of ['passed', 'failed', 'skipped']) of(job).sum[key] += each[key]
  }
  const endJob = (job, busyMs, mark, text) => {
    const suite = of(job)
    suite.busyMs += busyMs
    write(`${job.suite.name.padEnd(8)}${mark} ${job.name}  ${text}\n`)
    if (--suite.awaited > 0) return
    const { passed, failed, skipped } = suite.sum
    const busy = `${seconds(suite.busyMs)} of work`
    write(`\n${job.suite.name}: ${passed} passed, ${failed} failed, ${skipped} skipped, ${busy}\n\n`)
  }
  return {
    expect(jobs) {
      for (const { suite } of jobs) {
        const known = suites.get(suite.name) ?? {
          awaited: 0,
          busyMs: 0,
          sum: { passed: 0, failed: 0, skipped: 0 },
        }
        suites.set(suite.name, { ...known, awaited: known.awaited + 1 })
      }
    },
    ended(job, { counts, output, ms }) {
      add(job, counts)
      const sum = sumOf(counts)
      for (const [name, { ms: ownMs }] of Object.entries(counts))
        files.push({ name, ms: Object.keys(counts).length === 1 ? ms : ownMs })
      if (sum.failed > 0 || job.suite.command) write(`\n${failureIn(output)}\n`)
      endJob(job, ms, sum.failed > 0 ? '✖' : '✔', `${said(sum)}, ${seconds(ms)}`)
    },
    unchanged(job, { key, counts }) {
      add(job, counts)
      endJob(job, 0, '=', `${said(sumOf(counts))}, unchanged since the green run of ${key.slice(0, 12)}`)
    },
    /** It failed beside others and ran once more, alone. A file that fails twice has failed. */
    endedAgain(job, { counts, output, ms }, before) {
      const sum = sumOf(counts)
      write(`${job.suite.name.padEnd(8)}once more, alone: ${job.name}  ${said(sum)}, ${seconds(ms)}\n`)
      for (const key of Object.keys(sum)) of(job).sum[key] += sum[key] - before[key]
      if (sum.failed > 0) write(`\n${failureIn(output)}\n`)
      else unsteady.push(job.name)
    },
    /** The last line is the sum. True when all passed, and something did. */
    close() {
      const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST)
      if (slowest.length > 1)
        write(
          `slowest:\n${slowest.map(({ name, ms }) => `  ${seconds(ms).padStart(8)}  ${name}\n`).join('')}`,
        )
      if (unsteady.length > 0) write(`\nfailed first and passed alone: ${unsteady.join(', ')}\n`)
      const total = sumOf(Object.fromEntries([...suites].map(([name, { sum }]) => [name, sum])))
      write(`\n${seconds(Date.now() - startedMs)} in all\n`)
      write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`)
      return total.failed === 0 && total.passed > 0
    },
  }
}

function sumOf(counts) {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  for (const each of Object.values(counts)) for (const key of Object.keys(sum)) sum[key] += each[key]
  return sum
}

/** Node's own reporter repeats at its end what failed; a process that was ended has only what it printed before. */
function failureIn(output) {
  const at = output.indexOf('✖ failing tests:')
  return (at < 0 ? output.slice(-20_000) : output.slice(at)).trim()
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`
const said = ({ passed, failed, skipped }) =>
  [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`]
    .filter((part) => part !== false)
    .join(', ')
