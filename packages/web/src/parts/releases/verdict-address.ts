/** Where a measure of a release's verdict is shown in full. Pure. */
import type { ReleaseMeasure } from '@sonde/queries'
import type { paths } from '../../paths.ts'

/** In words, and as a part of which screen. */
export const SHOWN: Readonly<
  Record<
    ReleaseMeasure,
    readonly [name: string, at: 'health' | 'errors' | 'navigations' | 'performance' | 'vitals']
  >
> = {
  crashed_sessions: ['Release health', 'health'],
  users_with_crash: ['Release health', 'health'],
  users_with_error: ['Compare errors', 'errors'],
  failed_navigations: ['Navigations', 'navigations'],
  hung_navigations: ['Navigations', 'navigations'],
  error_rate: ['Transactions', 'performance'],
  lcp: ['LCP', 'vitals'],
  inp: ['INP', 'vitals'],
  cls: ['CLS', 'vitals'],
  fcp: ['FCP', 'vitals'],
  ttfb: ['TTFB', 'vitals'],
}

type Shown = {
  readonly name: ReleaseMeasure
  readonly release: string
  readonly before: string | undefined
}

/** Where the measure is shown in full, narrowed to the release. */
export function shownAt(
  kept: typeof paths,
  org: string,
  project: string,
  { name, release, before }: Shown,
): string {
  const [, at] = SHOWN[name]
  if (at === 'health') return `${kept.release(org, project, release)}#health`
  if (at === 'errors') return `${kept.compareReleases(org, project, before, release)}#errors`
  const to = kept[at](org, project)
  const search = new URLSearchParams({ release, ...(at === 'vitals' && { vital: name }) })
  return `${to}${to.includes('?') ? '&' : '?'}${search}`
}
