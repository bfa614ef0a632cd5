/** Runs jobs, some at a time, and tells what came of each when it ends. */

/**
 * Starts them in their order, as many at once as `cores` carry, and at most `suite.jobs` of a suite. A job takes
 * `suite.cores` of them, a half or (when nothing is said) a whole one. Jobs of a suite that needs tools wait for `tools`.
 * `run(job)` resolves when the job has ended.
 */
export async function runJobs(jobs, cores, tools, run) {
  const waiting = [...jobs]
  const running = new Map()
  const ended = new Set()
  let free = cores
  let haveTools = false
  const toolsCome = tools.then(() => void (haveTools = true))
  const startNext = () => {
    const next = waiting.findIndex(
      ({ suite }) =>
        (haveTools || !suite.needs) && (running.get(suite) ?? 0) < suite.jobs && (suite.cores ?? 1) <= free,
    )
    if (next < 0) return false
    const [job] = waiting.splice(next, 1)
    const { suite } = job
    running.set(suite, (running.get(suite) ?? 0) + 1)
    free -= suite.cores ?? 1
    const end = run(job).finally(() => {
      running.set(suite, running.get(suite) - 1)
      free += suite.cores ?? 1
      ended.delete(end)
    })
    ended.add(end)
    return true
  }
  while (waiting.length > 0 || ended.size > 0) {
    while (startNext());
    await Promise.race(haveTools ? ended : [...ended, toolsCome])
  }
}
