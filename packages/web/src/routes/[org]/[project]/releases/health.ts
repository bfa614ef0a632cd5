/** How healthy releases are, in words and as chart series. Pure. */
import type { CrashFree, Health, HealthOfRelease } from '@sonde/queries'
import type { ChartMarker, TrendSeries } from '../../../../charts/chart-series.ts'
import { countOf, formatExact } from '../../../../format/format-count.ts'

/** Rounded down, because 99.996 % of a million sessions are not all of them: `99.98%`, `87.5%`. */
export function formatCrashFree(share: number): string {
  if (share >= 1) return '100%'
  const digits = share >= 0.99 ? 2 : 1
  // A hair more than the share, so that 0.29 is not 28.9 % for how numbers are stored.
  const scaled = Math.floor(share * 100 * 10 ** digits + 1e-9) / 10 ** digits
  return `${scaled}%`
}

export type CrashFreeText = { readonly text: string; readonly title: string; readonly isFew: boolean }

/** `noun`: `session` or `user`. Undefined where nobody is known. */
export function crashFreeText(
  crashFree: CrashFree | undefined,
  counts: { readonly all: number; readonly crashed: number },
  noun: 'session' | 'user',
): CrashFreeText | undefined {
  if (crashFree === undefined) return undefined
  const crashed = `${formatExact(counts.crashed)} of ${countOf(counts.all, noun)} crashed`
  if (crashFree === 'few')
    return { text: 'too few', title: `${crashed}: a share needs 30 ${noun}s or more`, isFew: true }
  return {
    text: formatCrashFree(crashFree.value),
    title: `${crashed}; ${intervalText(crashFree)}`,
    isFew: false,
  }
}

/** Where the true share lies 19 times of 20. */
const intervalText = ({ low, high }: Exclude<CrashFree, 'few'>): string =>
  `between ${formatCrashFree(low)} and ${formatCrashFree(high)} (95% interval)`

/** Of how many sessions a share of a release is told: `1,234 sessions, 42 with errors`. */
export function sessionsText({ sessions }: Health): string {
  const withErrors = sessions.all - sessions.healthy
  return `${countOf(sessions.all, 'session')}, ${formatExact(withErrors)} with errors`
}

/** The share of sessions that crashed, of a release and of the one before it. `markers`: oldest first. */
export function crashRateSeries(
  { series, before }: HealthOfRelease,
  names: { readonly release: string; readonly before: string | undefined },
  markers: readonly ChartMarker[],
): TrendSeries {
  const { fromMs, toMs, stepMs, sessions } = series
  const lineOf = (own: { readonly sessions: readonly number[]; readonly crashed: readonly number[] }) =>
    own.sessions.map((count, at) => (count > 0 ? (own.crashed[at] ?? 0) / count : null))
  return {
    fromMs,
    toMs,
    stepMs,
    counts: sessions,
    total: sessions.reduce((sum, count) => sum + count, 0),
    markers: markers.filter(({ atMs }) => atMs >= fromMs && atMs < toMs),
    levels: [],
    lines: [
      { name: names.release, token: '--accent', values: lineOf(series) },
      ...(before && names.before !== undefined
        ? [{ name: names.before, token: '--edge' as const, values: lineOf(before) }]
        : []),
    ],
  }
}
