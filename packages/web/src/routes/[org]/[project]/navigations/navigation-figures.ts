/** The figures of the screen: the summary, the trends, and the phases of a navigation. Pure. */
import { NAVIGATION_PHASES, type NavigationPhase } from '@sonde/protocol/navigation'
import type { Build, MeanPhases, NavigationSummary, NavigationTotals, PageDataFailures } from '@sonde/queries'
import type { ChartMarker, ReleaseMarker, TrendLine, TrendSeries } from '../../../../charts/chart-series.ts'
import { countOf, formatExact, formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { PHASE_WORDS } from './navigation-words.ts'

export type Figure = {
  readonly name: string
  readonly value: string
  /** Below the value: what it is a share of. */
  readonly detail: string
  /** `1.2% before`; undefined when there is too little to compare with. */
  readonly before: string | undefined
  readonly about: string
  /** The section with the details. */
  readonly fragment: string | undefined
  readonly isBad: boolean
}

/** With fewer than this in the previous period, a share of it is noise. */
const FEW = 20

type Counted = 'committed' | 'hung' | 'left' | 'fullLoads'

export function summaryFigures(
  total: NavigationTotals,
  before: NavigationTotals | undefined,
  pageData: readonly Pick<PageDataFailures, 'seen' | 'count' | 'usersWhoSaw'>[],
): readonly Figure[] {
  const past = before && before.waitedFor >= FEW ? before : undefined
  const share = (name: Counted) => ({
    value: formatShare(total[name], total.waitedFor),
    detail: `${formatExact(total[name])} of ${formatExact(total.waitedFor)}`,
    before: past && `${formatShare(past[name], past.waitedFor)} before`,
  })
  const failure = (name: Counted, fragment: string) => ({ ...share(name), fragment, isBad: total[name] > 0 })
  const seen = pageData.reduce((sum, each) => sum + each.seen, 0)
  const failed = pageData.reduce((sum, each) => sum + each.count, 0)
  const { unknown } = total
  const aside = total.count - total.waitedFor - unknown
  return [
    {
      name: 'Completed',
      ...share('committed'),
      about: `The new page rendered.${aside > 0 ? ` Excludes ${formatExact(aside)} redirected, superseded and aborted navigations.` : ''}${unknown > 0 ? ` How ${formatExact(unknown)} more ended is not known: they count neither as completed nor as failed.` : ''}`,
      fragment: undefined,
      isBad: false,
    },
    {
      name: 'Time to visible',
      value: total.p75 === undefined ? '–' : formatDuration(total.p75),
      detail: total.p95 === undefined ? 'none completed' : `p75; p95 ${formatDuration(total.p95)}`,
      before: past?.p75 === undefined ? undefined : `${formatDuration(past.p75)} before`,
      about: '75th percentile from interaction to the first paint of the new page.',
      fragment: 'time',
      isBad: false,
    },
    {
      name: 'Stuck',
      ...failure('hung', 'hung'),
      about: 'Longer than 5 s, whatever the outcome. Abandoned ones count here too.',
    },
    {
      name: 'Abandoned',
      ...failure('left', 'hung'),
      about: 'The user left before the page rendered.',
    },
    {
      name: 'Hard navigations',
      ...failure('fullLoads', 'full-loads'),
      about: 'Client-side routing failed and the browser did a full page load.',
    },
    {
      name: 'Data errors shown',
      value: formatExact(seen),
      detail: failed === 0 ? 'no failed requests' : `of ${countOf(failed, 'failure')}`,
      before: undefined,
      about: 'Failed data requests where the user saw an error.',
      fragment: 'page-data',
      isBad: seen > 0,
    },
  ]
}

/** The trend of times and of troubles, as lines with the builds and deploys that came meanwhile. */
type Trend = NavigationSummary['trend']

/** Time to visible. */
export const timesTrend = (trend: Trend, markers: readonly ChartMarker[]): TrendSeries =>
  trendOf(trend, markers, [
    lineOf('p50', '--edge', trend, ({ p50 }) => p50),
    lineOf('p75', '--accent', trend, ({ p75 }) => p75),
    lineOf('p95', '--bar', trend, ({ p95 }) => p95),
  ])

/** Share of navigations that failed, were stuck or abandoned, or fell back to a hard navigation, 0 to 1. */
export const failureTrend = (trend: Trend, markers: readonly ChartMarker[]): TrendSeries =>
  trendOf(trend, markers, [
    lineOf('failed or abandoned', '--accent', trend, ({ known, troubled }) =>
      known > 0 ? troubled / known : undefined,
    ),
  ])

const lineOf = (
  name: string,
  token: TrendLine['token'],
  { points }: Trend,
  valueOf: (point: Trend['points'][number]) => number | undefined,
): TrendLine => ({ name, token, values: points.map((point) => valueOf(point) ?? null) })

function trendOf(trend: Trend, markers: readonly ChartMarker[], lines: readonly TrendLine[]): TrendSeries {
  const { fromMs, toMs, stepMs, points } = trend
  const counts = points.map(({ count }) => count)
  const total = counts.reduce((sum, count) => sum + count, 0)
  return { fromMs, toMs, stepMs, counts, total, markers, lines, levels: [] }
}

/** Markers of builds, oldest first. A build of several environments is marked once, at its first. */
export function buildMarkers(
  builds: readonly Build[],
  { fromMs, toMs }: Pick<Trend, 'fromMs' | 'toMs'>,
): readonly ReleaseMarker[] {
  const first = new Map<string, number>()
  for (const { build, firstMs } of builds) first.set(build, Math.min(firstMs, first.get(build) ?? firstMs))
  return [...first]
    .filter(([, firstMs]) => firstMs > fromMs && firstMs < toMs)
    .map(([release, atMs]) => ({ release, atMs }))
    .toSorted((a, b) => a.atMs - b.atMs)
}

/** The parts of a wait, ready to be drawn and read. */
export type PhasePart = {
  readonly phase: NavigationPhase
  readonly name: string
  readonly about: string
  readonly ms: number
  /** Of the wait; empty for what comes after it. */
  readonly share: string
}

/** Phases in order, without those of no duration. */
export function phaseParts(phases: MeanPhases): readonly PhasePart[] {
  const wait = waitOf(phases)
  return NAVIGATION_PHASES.flatMap((phase) => {
    const ms = phases[phase] ?? 0
    if (ms <= 0) return []
    const share = phase === 'settled' ? '' : formatShare(ms, wait)
    return [{ phase, ...PHASE_WORDS[phase], ms, share }]
  })
}

/** From interaction to paint: everything but the phase after it. */
export function waitOf(phases: MeanPhases): number {
  return NAVIGATION_PHASES.reduce((sum, phase) => sum + (phase === 'settled' ? 0 : (phases[phase] ?? 0)), 0)
}

/** `Data 160 ms, Render 11 ms; then settling 95 ms` */
export function phasesText(parts: readonly PhasePart[]): string {
  const way = parts.filter(({ phase }) => phase !== 'settled')
  const after = parts.find(({ phase }) => phase === 'settled')
  const text = way.map(({ name, ms }) => `${name} ${formatDuration(ms)}`).join(', ')
  return after ? `${text}; then settling ${formatDuration(after.ms)}` : text
}

/** Of one navigation: data and code load in parallel, and only the longer of the two counts. */
export function longerOfLoads(phases: MeanPhases): MeanPhases {
  const { data = 0, chunk = 0, ...others } = phases
  return chunk > data ? { ...others, chunk } : { ...others, ...(data > 0 && { data }) }
}
