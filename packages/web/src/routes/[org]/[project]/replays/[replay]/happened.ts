/** What the server knows to have happened in a replay, as entries beside those of its recording. */
import type { OpenedReplay } from '@sonde/queries'
import { paths } from '../../../../../paths.ts'
import type { Entry } from './entries.ts'

type Happened = Pick<OpenedReplay, 'happened' | 'navigated' | 'clockShiftMs'>

/** Ids of entries of the recording begin with 0. */
const FIRST_ID = -1
const FAILED: ReadonlySet<string> = new Set(['errored', 'timed_out'])

/** All by time. `found`: of the recording. */
export function withHappened(
  found: readonly Entry[],
  { happened, navigated, clockShiftMs }: Happened,
  { org, project }: { readonly org: string; readonly project: string },
): readonly Entry[] {
  type Own = Omit<Entry, 'id'>
  const errors = happened.map((error): Own => ({
    kind: 'error',
    atMs: error.timestampMs - clockShiftMs,
    text: error.title,
    detail: error.shortId,
    isBad: true,
    href: paths.issue(org, project, String(error.issueId)),
  }))
  const navigations = navigated.flatMap((navigation): readonly Own[] => {
    const { to, trigger, outcome, reason, dataMs, durationMs, prefetch, cache } = navigation
    const own = {
      atMs: navigation.atMs - clockShiftMs,
      text: to,
      isBad: FAILED.has(outcome),
      href: paths.navigations(org, project, navigation.navigationId),
    }
    const end = outcome === 'unknown' ? 'end not known' : outcome.replace('_', ' ')
    const ended = [trigger, end, reason].filter((part) => part !== '').join(' · ')
    const fetched = [cache === '' ? '' : `cache ${cache}`, prefetch === 'none' ? '' : `prefetch ${prefetch}`]
    const data: Own = {
      ...own,
      kind: 'data',
      durationMs: dataMs ?? 0,
      detail: fetched.filter((part) => part !== '' && part !== 'prefetch ').join(' · '),
    }
    return [{ ...own, kind: 'navigation', durationMs, detail: ended }, ...(dataMs === null ? [] : [data])]
  })
  const own = [...errors, ...navigations].map((entry, index) => ({ ...entry, id: FIRST_ID - index }))
  return [...found, ...own].toSorted((a, b) => a.atMs - b.atMs)
}
