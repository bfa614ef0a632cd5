/**
 * Drops events that a project does not want. Rules are off unless switched on: a hidden filter looks like loss.
 * What they mean: https://docs.sentry.io/concepts/data-management/filtering/#inbound-data-filters
 */
import type { NormalizedEvent } from '@sonde/protocol/event'
import type { OutcomeReason } from '@sonde/protocol/outcome'

export type FilterSettings = {
  /** Errors whose crash lies in an extension's own script. */
  readonly browserExtensions: boolean
  /** Events of pages on the developer's own machine. */
  readonly localhost: boolean
}
export const NO_FILTERS: FilterSettings = { browserExtensions: false, localhost: false }

export function filterReason(
  event: Pick<NormalizedEvent, 'exception' | 'request'>,
  filters: FilterSettings,
): OutcomeReason<'filtered'> | undefined {
  if (filters.localhost && isLocalhost(event.request?.url)) return 'localhost'
  if (filters.browserExtensions && isExtension(event.exception?.at(-1)?.stacktrace?.frames.at(-1)?.abs_path))
    return 'browser_extension'
  return undefined
}

function isLocalhost(url: string | undefined): boolean {
  if (url === undefined) return false
  return /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/?#]|$)/i.test(url)
}

function isExtension(path: string | undefined): boolean {
  return path !== undefined && /^(?:chrome|moz|safari(?:-web)?|ms-browser)-extension:\/\//i.test(path)
}
