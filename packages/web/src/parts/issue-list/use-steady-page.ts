import { useLocation } from '@sonde/router'
import { useState } from 'react'

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

/**
 * A list whose rows stay where they are while its data is fetched again: their numbers follow, what has come on top
 * is counted and waits, and what left stays until the list is asked for anew.
 */
type Row = { readonly id: number }
type AnyPage<R extends Row> = { readonly rows: readonly R[]; readonly hits: number }

type SteadyPage<P> = {
  /** What to show. */
  readonly page: P
  /** Rows of the newest data that are not shown. */
  readonly waiting: number
}

/** `shown` as it was put on the screen, `newest` as the server has it now. */
export function steadyPage<R extends Row, P extends AnyPage<R>>(shown: P, newest: P): SteadyPage<P> {
  if (shown === newest) return { page: shown, waiting: 0 }
  // An empty list has nothing that could move.
  if (shown.rows.length === 0) return { page: newest, waiting: 0 }
  const known = new Set(shown.rows.map(({ id }) => id))
  const fresh = new Map(newest.rows.map((row) => [row.id, row]))
  return {
    page: { ...shown, hits: newest.hits, rows: shown.rows.map((row) => fresh.get(row.id) ?? row) },
    waiting: newest.rows.filter(({ id }) => !known.has(id)).length,
  }
}
