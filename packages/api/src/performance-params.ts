/** `statsPeriod` (24 hours unless given), or `start` and `end`, and the columns that performance is narrowed by. */
import { type Clock, SondeError } from '@sonde/base'
import { filterColumns, parsePeriodMs, type PerformanceFilter } from '@sonde/queries'
import type { ApiContext } from './api-context.ts'

const DEFAULT_PERIOD = '24h'

/** Throws `SondeError` (`invalid`) for times that are none. Several values of one parameter: any of them. */
export function performanceParams(c: ApiContext, clock: Clock): PerformanceFilter {
  return { ...windowOf(c, clock.nowMs()), ...filterColumns((column) => c.req.queries(column) ?? []) }
}

function windowOf(c: ApiContext, nowMs: number): { readonly fromMs: number; readonly toMs: number } {
  const start = c.req.query('start')
  const end = c.req.query('end')
  if (start !== undefined && end !== undefined) {
    const [fromMs, toMs] = [utcMs(start), utcMs(end)]
    if (!(fromMs < toMs)) throw invalid('start and end', 'need two times, the earlier one first')
    return { fromMs, toMs }
  }
  const text = c.req.query('statsPeriod') ?? DEFAULT_PERIOD
  const periodMs = parsePeriodMs(text)
  if (periodMs === undefined || periodMs === 0) throw invalid('statsPeriod', 'is for example 24h, 14d or 90m')
  return { fromMs: Math.max(0, nowMs - periodMs), toMs: nowMs }
}

/** Without an offset UTC, as in Sentry's API. */
const utcMs = (text: string): number => Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)

function invalid(subject: string, what: string): SondeError {
  return new SondeError('invalid', `${subject} ${what}`, { operation: 'read the parameters', subject })
}
