/**
 * What a reader has narrowed the screens to: `environment` (any number), and either `statsPeriod` or `start` and `end`
 * (ISO, UTC). It lives in the address, and links within an organization keep it.
 */
import { minutesAhead } from '../format/person-zone.ts'

export const PERIODS = [
  { id: '1h', name: 'Last hour' },
  { id: '24h', name: 'Last 24 hours' },
  { id: '7d', name: 'Last 7 days' },
  { id: '14d', name: 'Last 14 days' },
  { id: '30d', name: 'Last 30 days' },
  { id: '90d', name: 'Last 90 days' },
] as const

/**
 * What the screens of performance look at when the address says no time: enough for percentiles and for a comparison with
 * the days before, and read at once. Issues look at all that is kept: there are far fewer.
 */
export const MEASURED_PERIOD = '7d'
const MEASURED =
  /^\/\[org\](?:\/\[project\])?\/(?:(?:performance|insights|vitals|hydration|navigations|noise|logs|metrics|explore|service-map|ai-agents|mobile)(?:\/|$)|(?:releases|profiles|profiles\/compare|replays)$)/

/** By the template of the screen; empty: any time. */
export const usualPeriod = (template: string): string => (MEASURED.test(template) ? MEASURED_PERIOD : '')

const TIME_NAMES = ['statsPeriod', 'start', 'end'] as const

/** The address with what the present one is narrowed to; what it says itself stays. A fragment stays too. */
export function keepRange(to: string, present: URLSearchParams): string {
  const [beforeHash = '', ...hash] = to.split('#')
  const [path = '', search = ''] = beforeHash.split('?')
  const params = new URLSearchParams(search)
  const saysTime = TIME_NAMES.some((name) => params.has(name))
  if (!saysTime) {
    for (const name of TIME_NAMES) {
      const value = present.get(name)
      if (value !== null && value !== '') params.set(name, value)
    }
  }
  if (!params.has('environment')) {
    for (const name of present.getAll('environment')) if (name !== '') params.append('environment', name)
  }
  const text = params.toString()
  return [path, text === '' ? '' : `?${text}`, ...hash.map((part) => `#${part}`)].join('')
}

type RangeChange = {
  /** Undefined leaves it; empty: any time. */
  readonly statsPeriod?: string
  /** Instead of a period: ISO, UTC. */
  readonly range?: { readonly start: string; readonly end: string }
  /** Undefined leaves them; empty: all. */
  readonly environments?: readonly string[]
}

/** The query of the same screen narrowed otherwise, from its first page on. */
export function changeRange(present: URLSearchParams, change: RangeChange): string {
  const params = new URLSearchParams(present)
  params.delete('cursor')
  if (change.statsPeriod !== undefined) {
    for (const name of TIME_NAMES) params.delete(name)
    if (change.statsPeriod !== '') params.set('statsPeriod', change.statsPeriod)
  }
  if (change.range) {
    params.delete('statsPeriod')
    params.set('start', change.range.start)
    params.set('end', change.range.end)
  }
  if (change.environments) {
    params.delete('environment')
    for (const name of change.environments) params.append('environment', name)
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

export const environmentsOf = (params: URLSearchParams): readonly string[] => [
  ...new Set(params.getAll('environment').filter((name) => name !== '')),
]

/**
 * For the button: `Last 14 days`, `36h`, `2026-11-03 10:00 – 2026-11-05 12:30 UTC`, `Any time`. `usual`: the period that
 * holds when none is said.
 */
export function rangeName(params: URLSearchParams, usual: string): string {
  const [start, end] = [timeName(params.get('start')), timeName(params.get('end'))]
  if (start !== undefined && end !== undefined) return `${start} – ${end} UTC`
  const said = params.get('statsPeriod') ?? ''
  const period = /^[1-9]\d{0,3}[mhdw]$/.test(said) ? said : usual
  if (period === '') return 'All time'
  return PERIODS.find(({ id }) => id === period)?.name ?? `Last ${period}`
}

/** By hand: `Intl` says it differently in the server and in browsers. */
function timeName(text: string | null): string | undefined {
  const ms = addressTime(text)
  return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
}

/** Between the fields of a form, which know no zone, and the address, which is UTC. */
const ZONES = ['local', 'utc'] as const
export type Zone = (typeof ZONES)[number]

/** `2026-11-03T10:00` as read in the zone → Unix milliseconds; undefined for what is no time. */
export function fieldTime(text: string, zone: Zone): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return undefined
  const written = Date.parse(`${text}Z`)
  // What is ahead there may change in between: the second look is at the moment that was meant.
  const near = written - minutesAhead(written) * 60_000
  const ms = zone === 'utc' ? written : written - minutesAhead(near) * 60_000
  return Number.isNaN(ms) || ms < 0 ? undefined : ms
}

/** What a field shows for a time, to the minute; empty for none. */
export function fieldText(ms: number | undefined, zone: Zone): string {
  if (ms === undefined) return ''
  const shownMs = zone === 'utc' ? ms : ms + minutesAhead(ms) * 60_000
  return new Date(shownMs).toISOString().slice(0, 16)
}

/** Of an address: without a zone it is UTC, as Sentry's links mean it. */
export function addressTime(text: string | null): number | undefined {
  if (text === null || !/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return undefined
  const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(ms) ? undefined : ms
}

/** To the second where it is one: every screen writes a moment alike, so that equal lists have equal addresses. */
export const addressText = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')

/** What is wrong with a range, in words for beside its fields; undefined: nothing. */
export function rangeProblem(fromMs: number | undefined, toMs: number | undefined): string | undefined {
  if (fromMs === undefined || toMs === undefined) return 'Enter a start and an end.'
  return toMs > fromMs ? undefined : 'The end must be after the start.'
}
