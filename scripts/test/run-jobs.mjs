/** Runs jobs, some at a time, and tells what came of each when it ends. */

/**
 * Starts them in their order, `slots` at once, and at most `suite.jobs` of a suite. `run(job, slot)` resolves when
 * the job has ended.
 */
export async function runJobs(jobs, slots, run) {
  const waiting = [...jobs]
  const running = new Map()
  const free = Array.from({ length: slots }, (_, slot) => slot)
  const ended = new Set()
  const startNext = () => {
    const next = waiting.findIndex(({ suite }) => (running.get(suite) ?? 0) < suite.jobs)
    if (next < 0 || free.length === 0) return false
    const [job] = waiting.splice(next, 1)
    const slot = free.shift()
    running.set(job.suite, (running.get(job.suite) ?? 0) + 1)
    const end = run(job, slot).finally(() => {
      running.set(job.suite, running.get(job.suite) - 1)
      free.push(slot)
      ended.delete(end)
    })
    ended.add(end)
    return true
  }
  while (waiting.length > 0 || ended.size > 0) {
    while (startNext());
    await Promise.race(ended)
  }
}
