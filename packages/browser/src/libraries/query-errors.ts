/**
 * Hooks for TanStack Query and SWR, which catch the errors of requests: they are reported, and the failure of the request learns
 * whether older data stayed on the screen and when it is asked again. Errors are not touched. Types are the libraries', as far as used.
 */
import { captureException } from '../api.ts'
import { noteDataError } from '../navigation/page-data-failures.ts'

type Options = {
  /** Whether an error also becomes an event. Default: true. */
  readonly capture?: boolean
}

function report(error: unknown, type: string, { capture = true }: Options, stale: boolean): void {
  // A query that nobody waits for any more has not failed.
  if (/^(?:Abort|Cancelled)Error$/.test(String((error as Error | undefined)?.name))) return
  noteDataError(error, { stale })
  if (capture) captureException(error, { mechanism: { type, handled: true } })
}

/** `new QueryCache(queryErrors())`. It is called once a query has failed for good, with all its retries. */
export const queryErrors = (options: Options = {}) => ({
  onError(error: unknown, query: { readonly state: { readonly data: unknown } }): void {
    report(error, 'tanstack_query', options, query.state.data !== undefined)
  },
})

/** `new MutationCache(mutationErrors())`. */
export const mutationErrors = (options: Options = {}) => ({
  onError(error: unknown): void {
    report(error, 'tanstack_mutation', options, false)
  },
})

type SwrConfig = {
  readonly cache?: { get(key: string): { readonly data?: unknown } | undefined }
  readonly errorRetryInterval?: number
}
type SwrRetry<Config, Revalidate, Retry> = (
  error: unknown,
  key: string,
  config: Config,
  revalidate: Revalidate,
  retry: Retry,
) => void

// What SWR waits unless told, doubled each time; beyond a minute nobody looks.
const RETRY_MS = 5_000
const MAX_RETRY_MS = 60_000

/**
 * `<SWRConfig value={swrErrors()}>`. SWR asks again by itself; with its `onErrorRetry` (`swrErrors({}, onErrorRetry)`) the failure
 * stays open until then, so that a retry that helps is counted.
 */
export function swrErrors<
  Config extends SwrConfig,
  Revalidate,
  Retry extends { readonly retryCount?: number },
>(options: Options = {}, onErrorRetry?: SwrRetry<Config, Revalidate, Retry>) {
  const retrying: SwrRetry<Config, Revalidate, Retry> = (error, key, config, revalidate, retry) => {
    const { errorRetryInterval = RETRY_MS } = config
    const retryInMs = errorRetryInterval * 1.5 * 2 ** Math.min(retry.retryCount ?? 1, 8)
    noteDataError(error, { retryInMs: Math.min(retryInMs, MAX_RETRY_MS) })
    onErrorRetry?.(error, key, config, revalidate, retry)
  }
  return {
    onError(error: unknown, key: string, config: SwrConfig): void {
      report(error, 'swr', options, config.cache?.get(key)?.data !== undefined)
    },
    ...(onErrorRetry && { onErrorRetry: retrying }),
  }
}
