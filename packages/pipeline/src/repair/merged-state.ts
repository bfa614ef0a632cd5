/** What an issue is once another became part of it. Pure. */
import type { IssueTable, Selectable, Updateable } from '@sonde/stores'
import { type CompareVersions, releasesOfIssue } from '../commit/issue-releases.ts'

type Issue = Selectable<IssueTable>

/**
 * Counts add up, times widen, releases by their order (`compare`). Of what people decided: unresolved wins, so that nothing is hidden that was to be seen;
 * between resolved and ignored, resolved, because it comes back with its next event.
 */
export function mergedState(issue: Issue, gone: Issue, compare: CompareVersions): Updateable<IssueTable> {
  return {
    event_count: issue.event_count + gone.event_count,
    first_seen_ms: Math.min(issue.first_seen_ms, gone.first_seen_ms),
    last_seen_ms: Math.max(issue.last_seen_ms, gone.last_seen_ms),
    is_unhandled: Math.max(issue.is_unhandled, gone.is_unhandled),
    ...releasesOfIssue(issue, [gone.first_release, gone.last_release], compare),
    ...decisionOf(issue, gone),
  }
}

type Decision = Pick<Issue, 'status' | 'substatus' | 'resolved_in' | 'resolved_release' | 'regressed_release'>

const STATUS_ORDER = ['unresolved', 'resolved', 'ignored'] as const

function decisionOf(issue: Issue, gone: Issue): Decision {
  const status = STATUS_ORDER.find((each) => issue.status === each || gone.status === each) ?? issue.status
  if (status !== 'unresolved') return pick(issue.status === status ? issue : gone)
  const open = [issue, gone].filter((each) => each.status === 'unresolved')
  // What came back says more than that it goes on; new is only what is new in both.
  const telling = open.find(({ substatus }) => substatus !== 'new' && substatus !== 'ongoing')
  if (telling) return pick(telling)
  const isNew = open.length === 2 && open.every(({ substatus }) => substatus === 'new')
  return { ...pick(open[0] ?? issue), substatus: isNew ? 'new' : 'ongoing' }
}

const pick = ({ status, substatus, resolved_in, resolved_release, regressed_release }: Issue): Decision => ({
  status,
  substatus,
  resolved_in,
  resolved_release,
  regressed_release,
})
