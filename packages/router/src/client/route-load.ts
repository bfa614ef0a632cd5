/** A route load: page data and code of the matched route, both within 3800 ms (N5). */
import type { FailureReason, PageAnswer } from './fetch-page.ts'
import { ROUTE_LOAD_TIMEOUT_MS } from './page-cache.ts'
import type { Timers } from './timers.ts'

export type RouteLoad = {
  /** Fetches the data; aborted on timeout. */
  readonly data: (signal: AbortSignal) => Promise<PageAnswer>
  /** Loads the code; rejects when a chunk is missing. */
  readonly code: () => Promise<void>
  /** Aborted when another navigation takes over. */
  readonly signal: AbortSignal
  readonly timers: Timers
}

/** Never rejects. A load that was superseded is `aborted`, whatever else happened to it. */
export async function loadRoute({ data, code, signal, timers }: RouteLoad): Promise<PageAnswer> {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()

  const timeout = Promise.withResolvers<PageAnswer>()
  const cancelTimeout = timers.after(ROUTE_LOAD_TIMEOUT_MS, () => timeout.resolve(failed('timeout')))
  const both = Promise.all([
    data(controller.signal),
    code().then(
      () => undefined,
      () => failed('chunk'),
    ),
  ]).then(([answer, missing]) => {
    // A redirect or an error answer does not need this route's code.
    const needsCode = answer.kind === 'page' && !answer.redirected && !answer.page.error
    return needsCode && missing ? missing : answer
  })

  const answer = await Promise.race([both, timeout.promise])
  cancelTimeout()
  if (answer.kind === 'failed' && answer.reason === 'timeout') abort()
  signal.removeEventListener('abort', abort)
  return signal.aborted ? { kind: 'aborted' } : answer
}

function failed(reason: FailureReason): PageAnswer {
  return { kind: 'failed', reason }
}
