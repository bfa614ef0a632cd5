import { useLocation } from '@sonde/router'
import { useState } from 'react'
import { type AnyPage, type SteadyPage, steadyPage } from './steady-page.ts'

type Kept<P> = { readonly visit: string; readonly newest: P; readonly steady: SteadyPage<P> }

/** Every navigation and every post begins anew; fetching the same page again does not. */
export function useSteadyPage<R extends { readonly id: number }, P extends AnyPage<R>>(
  newest: P,
): SteadyPage<P> & { readonly showNewest: () => void } {
  const visit = useLocation().key
  const [kept, keep] = useState<Kept<P>>(() => begin(visit, newest))
  let now = kept
  if (kept.visit !== visit) now = begin(visit, newest)
  else if (kept.newest !== newest) now = { visit, newest, steady: steadyPage<R, P>(kept.steady.page, newest) }
  if (now !== kept) keep(now)
  return { ...now.steady, showNewest: () => keep(begin(visit, newest)) }
}

const begin = <P>(visit: string, newest: P): Kept<P> => ({
  visit,
  newest,
  steady: { page: newest, waiting: 0 },
})
