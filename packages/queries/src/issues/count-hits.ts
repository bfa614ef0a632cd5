/** How many issues match, counted up to a limit so that it costs no scan. */
import type { QueryDeps } from '../query-deps.ts'
import { issueConditions } from '../search/issue-conditions.ts'
import type { IssueRequest } from './issue-request.ts'
import { MAX_HITS } from '../contract.ts'

export async function countHits({ records }: QueryDeps, request: IssueRequest): Promise<number> {
  if (request.projectIds.length === 0) return 0
  const { n } = await records
    .selectFrom((eb) => {
      const matching = eb
        .selectFrom('issue')
        .innerJoin('project', 'project.id', 'issue.project_id')
        .select('issue.id')
        .where('issue.project_id', 'in', request.projectIds)
        .where('issue.event_count', '>', 0)
        .where((where) => issueConditions(where, request))
        .limit(MAX_HITS)
      return matching.as('matching')
    })
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}
