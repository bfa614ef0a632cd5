import { addressText, addressTime } from '../../shell/time-range.ts'

/**
 * Which of an issue's events are looked at, as the address says it: `query`, `environment` (any number), and either
 * `start` and `end` (ISO, UTC) or a `statsPeriod` up to now. The same names as in the list, so that they follow from there.
 */
export type EventFilter = {
  readonly query: string
  readonly environments: readonly string[]
  /** `24h`; empty: no period. */
  readonly period: string
  /** Unix milliseconds; both or none. `toMs` is exclusive. */
  readonly range: { readonly fromMs: number; readonly toMs: number } | undefined
}

export const NO_FILTER: EventFilter = { query: '', environments: [], period: '', range: undefined }

const PERIOD = /^(\d{1,4})([mhdw])$/
const UNIT_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}

/** What cannot be read is not there: an old link should show an issue, not an error. */
export function readEventFilter(params: URLSearchParams): EventFilter {
  const fromMs = addressTime(params.get('start'))
  const toMs = addressTime(params.get('end'))
  const range =
    fromMs === undefined || toMs === undefined || toMs <= fromMs || fromMs < 0 ? undefined : { fromMs, toMs }
  const period = params.get('statsPeriod') ?? ''
  return {
    query: (params.get('query') ?? '').trim(),
    environments: params.getAll('environment').filter((name) => name !== ''),
    period: range === undefined && PERIOD.test(period) ? period : '',
    range,
  }
}

/** `?query=…&start=…`, empty for no filter. Order is fixed, so that equal filters have equal addresses. */
export function filterSearch(filter: EventFilter, more: Readonly<Record<string, string>> = {}): string {
  const params = new URLSearchParams()
  if (filter.query !== '') params.set('query', filter.query)
  for (const name of filter.environments) params.append('environment', name)
  if (filter.range) {
    params.set('start', addressText(filter.range.fromMs))
    params.set('end', addressText(filter.range.toMs))
  } else if (filter.period !== '') params.set('statsPeriod', filter.period)
  for (const [name, value] of Object.entries(more)) params.set(name, value)
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

/** The span that is asked for; undefined: all of it. */
export function spanOf(
  { range, period }: EventFilter,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number | undefined } | undefined {
  if (range) return range
  const [, count, unit = ''] = PERIOD.exec(period) ?? []
  const sizeMs = Number(count) * (UNIT_MS[unit] ?? 0)
  return sizeMs > 0 ? { fromMs: Math.max(0, nowMs - sizeMs), toMs: undefined } : undefined
}

export const isNarrowed = ({ query, environments, period, range }: EventFilter): boolean =>
  query !== '' || environments.length > 0 || period !== '' || range !== undefined

/**
 * The query with one tag's value in it: what a press on the value does. Another value of the tag gives way (both
 * together match nothing), and the value itself goes when it is there already. `term` is of `searchTerm`.
 */
export function toggleTerm(query: string, term: string): string {
  const name = term.slice(0, nameLength(term))
  const others = termsOf(query).filter((part) => part.slice(0, nameLength(part)) !== name)
  return (hasTerm(query, term) ? others : [...others, term]).join(' ')
}

export const hasTerm = (query: string, term: string): boolean => termsOf(query).includes(term)

const TERM = /(?:[^\s"]|"(?:\\.|[^"\\])*"?)+/g

/** As the search cuts them: at spaces outside quotes. */
const termsOf = (query: string): readonly string[] => query.match(TERM) ?? []

/** `tags["a:b"]:x` has its name up to the bracket. */
function nameLength(term: string): number {
  const bracket = term.startsWith('tags[') ? term.indexOf(']:') : -1
  return bracket >= 0 ? bracket + 2 : term.indexOf(':') + 1 || term.length
}
