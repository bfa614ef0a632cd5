/** Which releases an issue is of, and whether events bring a resolved one back. Pure. docs/decisions/0020-order-of-releases.md */
import type { IssueTable, Selectable } from '@sonde/stores'
import type { DigestedEvent } from '../digest/digested.ts'

/** Negative: `a` came before `b`. */
export type CompareVersions = (a: string, b: string) => number

type Issue = Pick<
  Selectable<IssueTable>,
  'first_release' | 'last_release' | 'resolved_in' | 'resolved_release'
>

/** The first and the last by their order, not by when events of them came: an old tab may speak last. */
export function releasesOfIssue(
  issue: Issue,
  versions: readonly string[],
  compare: CompareVersions,
): Pick<Issue, 'first_release' | 'last_release'> {
  const seen = [issue.first_release, issue.last_release, ...versions].filter((version) => version !== '')
  return {
    first_release: seen.reduce((a, b) => (compare(b, a) < 0 ? b : a), seen[0] ?? ''),
    last_release: seen.reduce((a, b) => (compare(b, a) >= 0 ? b : a), seen[0] ?? ''),
  }
}

type BroughtBack = {
  readonly status: 'unresolved'
  readonly substatus: 'regressed'
  readonly resolved_in: ''
  readonly resolved_release: ''
  readonly regressed_release: string
}

/**
 * Undefined: none of them does. One that is resolved in a release, or in the one after it, stays resolved while builds
 * before that go on sending, and while events that name no release do: those tell nothing of what they were built from.
 */
export function bringBack(
  issue: Issue,
  events: readonly DigestedEvent[],
  compare: CompareVersions,
): BroughtBack | undefined {
  const telling = events.filter(({ issue: { release } }) => {
    if (issue.resolved_in === '') return true
    if (release === '') return false
    const order = compare(release, issue.resolved_release)
    return issue.resolved_in === 'release' ? order >= 0 : order > 0
  })
  const [first] = telling
  if (first === undefined) return undefined
  const newest = telling.reduce((a, b) => (b.issue.timestampMs >= a.issue.timestampMs ? b : a), first)
  return {
    status: 'unresolved',
    substatus: 'regressed',
    resolved_in: '',
    resolved_release: '',
    regressed_release: newest.issue.release,
  }
}
