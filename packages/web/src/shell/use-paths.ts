import { useSearchParams } from '@sonde/router'
import { useMemo } from 'react'
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
  'vitals',
  'navigations',
] as const

/**
 * `paths`, with the environments and the time of the present address on every link to a screen that they narrow.
 * A link that says them itself keeps its own.
 */
export function usePaths(): typeof paths {
  const [params] = useSearchParams()
  return useMemo(() => {
    const kept = NARROWED.map((name) => {
      const build = paths[name] as (...args: readonly unknown[]) => string
      return [name, (...args: readonly unknown[]) => keepRange(build(...args), params)]
    })
    return { ...paths, ...(Object.fromEntries(kept) as Partial<typeof paths>) }
  }, [params])
}
