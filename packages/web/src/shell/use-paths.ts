import { useSearchParams } from '@sonde/router'
import { useMemo } from 'react'
import { keepFilters } from '../parts/filter-bar/filter-address.ts'
import { paths } from '../paths.ts'
import { keepRange } from './time-range.ts'

/** The screens that environments and a time narrow. */
const NARROWED = [
  'project',
  'issues',
  'orgIssues',
  'issue',
  'event',
  'performance',
  'transaction',
  'insights',
  'insight',
  'vitals',
  'hydration',
  'profiles',
  'navigations',
  'noise',
  'logs',
  'metrics',
  'replays',
  'crons',
  'cron',
  'releases',
  'release',
  'compareReleases',
  'compareProfiles',
  'explore',
  'serviceMap',
  'aiAgents',
  'mobile',
] as const
/** Those of them that the filter bar narrows too. */
const FILTERED: ReadonlySet<string> = new Set([
  'performance',
  'transaction',
  'insights',
  'insight',
  'vitals',
  'hydration',
  'profiles',
  'navigations',
  'logs',
  'metrics',
  'replays',
  'explore',
  'serviceMap',
  'aiAgents',
  'mobile',
])

/**
 * `paths`, with the environments and the time of the present address on every link to a screen that they narrow, and
 * with the rest of the filter bar on those between performance screens.
 * A link that says them itself keeps its own.
 */
export function usePaths(): typeof paths {
  const [params] = useSearchParams()
  return useMemo(() => {
    const kept = NARROWED.map((name) => {
      const build = paths[name] as (...args: readonly unknown[]) => string
      const keep = (to: string): string => (FILTERED.has(name) ? keepFilters(to, params) : to)
      return [name, (...args: readonly unknown[]) => keep(keepRange(build(...args), params))]
    })
    return { ...paths, ...(Object.fromEntries(kept) as Partial<typeof paths>) }
  }, [params])
}
