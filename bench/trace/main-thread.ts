/** Processor time that a page's main thread takes while something runs: says more than frames where the machine is not idle. */
import type { Browser, Page } from 'playwright-core'

type TraceEvent = {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of the thread's own time. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

export async function mainThreadMs<Result>(
  browser: Browser,
  page: Page,
  run: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly cpuMs: number }> {
  await browser.startTracing(page, {
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'],
  })
  const result = await run()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly TraceEvent[]
  }
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`
  // The page that was drawn: other pages of the browser have main threads too.
  const drawn = traceEvents.find(({ name }) => name === 'FireAnimationFrame')
  const own = traceEvents.filter(
    (event) =>
      drawn !== undefined &&
      event.name === 'RunTask' &&
      event.ph === 'X' &&
      threadOf(event) === threadOf(drawn),
  )
  return { result, cpuMs: own.reduce((sum, { tdur = 0 }) => sum + tdur / 1000, 0) }
}
