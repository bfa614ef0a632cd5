/** The state of the web vitals screen in the address, beside its filters. Pure, for server and browser. */
import { isVitalName, VITAL_NAMES, type VitalName } from '@sonde/protocol/web-vitals'
import type { SampleSet } from '@sonde/queries'

export const VITAL_TRENDS = ['p75', 'good'] as const
export type VitalTrendKind = (typeof VITAL_TRENDS)[number]
const VITAL_SORTS = ['count', ...VITAL_NAMES] as const
export type VitalSort = (typeof VITAL_SORTS)[number]

export type VitalChoice = {
  readonly vital: VitalName | undefined
  readonly route: string | undefined
  /** What the trend shows. */
  readonly trend: VitalTrendKind
  readonly samples: SampleSet
  /** Of the table of routes. */
  readonly sort: VitalSort
}

/** What cannot be read is not there: an old link should show something. */
export function readVitalChoice(params: URLSearchParams): VitalChoice {
  const vital = params.get('vital')
  const sort = params.get('sort')
  const route = params.get('route')
  return {
    vital: isVitalName(vital) ? vital : undefined,
    route: route === null || route === '' ? undefined : route,
    trend: params.get('trend') === 'good' ? 'good' : 'p75',
    samples: params.get('samples') === 'slowest' ? 'slowest' : 'typical',
    sort: VITAL_SORTS.find((each) => each === sort) ?? 'count',
  }
}

/** A value of null takes its parameter away. */
export type ChoiceChange = {
  readonly vital?: VitalName | null
  readonly route?: string | null
  readonly trend?: VitalTrendKind
  readonly samples?: SampleSet
  readonly sort?: VitalSort
}

const DEFAULTS: Readonly<Record<string, string>> = { trend: 'p75', samples: 'typical', sort: 'count' }

/** The query of the same screen with another choice; filters and time stay, what is the default is left out. */
export function withChoice(params: URLSearchParams, change: ChoiceChange): string {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) continue
    if (value === null || value === DEFAULTS[name]) next.delete(name)
    else next.set(name, value)
  }
  const text = next.toString()
  return text === '' ? '?' : `?${text}`
}
