/** "All that match", for a change to many issues at once. */
import type { QueryDeps } from '../query-deps.ts'
import { issueRequest, type ListIssuesInput } from './issue-request.ts'
import { issueIdsByEvents, MAX_CANDIDATES } from './ranked-by-events.ts'
import { issueIdsByRecords } from './ranked-by-records.ts'

/** More are changed in steps: `!is:resolved` in the query leaves out those that a step before has resolved. */
export const MAX_MATCHING = MAX_CANDIDATES

/** At most `MAX_MATCHING` (5,000; as many as `updateIssues` takes), the last seen first. Throws `SearchError`. The same reads as `listIssues`, without the rows. */
export async function matchingIssueIds(
  deps: QueryDeps,
  input: Pick<
    ListIssuesInput,
    'grant' | 'query' | 'statsPeriod' | 'start' | 'end' | 'environments' | 'projectIds'
  >,
): Promise<readonly number[]> {
  const request = await issueRequest(deps, input)
  return request.event.length > 0
    ? issueIdsByEvents(deps, request)
    : issueIdsByRecords(deps, request, MAX_MATCHING)
}
