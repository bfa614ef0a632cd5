/** Whether the list of issues would read a search, without looking for anything. */
import type { Grant } from '@sonde/access'
import type { RecordsSchema } from '@sonde/stores'
import { expressionBuilder } from 'kysely'
import { personOf } from '../person-of.ts'
import type { QueryDeps } from '../query-deps.ts'
import { eventConditions } from './event-search.ts'
import { issueConditions } from './issue-conditions.ts'
import { parseSearch } from './parse-search.ts'
import { splitSearch } from './search-fields.ts'
import { SearchError } from './search-term.ts'

type ReadGrant = Grant<'event:read', 'org' | 'project'>

/** Throws `SearchError` as the list would: for its form, a field's value, `me` of nobody. Reads nothing. */
export function checkIssueSearch(
  { clock }: Pick<QueryDeps, 'clock'>,
  { viewer }: ReadGrant,
  query: string,
): void {
  const { issue, event } = splitSearch(parseSearch(query))
  issueConditions(expressionBuilder<RecordsSchema, 'issue' | 'project'>(), {
    nowMs: clock.nowMs(),
    personId: personOf(viewer),
    issue,
    text: undefined,
    sinceMs: undefined,
    untilMs: undefined,
  })
  eventConditions(event)
}

/** What is wrong with it, in words; undefined: nothing. */
export function searchProblem(
  deps: Pick<QueryDeps, 'clock'>,
  grant: ReadGrant,
  query: string,
): string | undefined {
  try {
    checkIssueSearch(deps, grant, query)
    return undefined
  } catch (error) {
    if (error instanceof SearchError) return error.message
    throw error
  }
}
