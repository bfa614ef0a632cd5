/** `is:…`: the states of an issue, as a literal table. */
import type { Expression, SqlBool } from 'kysely'
import type { IssueExpressions } from './issue-expressions.ts'
import { SearchError } from './search-error.ts'

const STATES: ReadonlyMap<string, (eb: IssueExpressions) => Expression<SqlBool>> = new Map([
  ['unresolved', (eb: IssueExpressions) => eb('issue.status', '=', 'unresolved')],
  ['resolved', (eb: IssueExpressions) => eb('issue.status', '=', 'resolved')],
  ['ignored', (eb: IssueExpressions) => eb('issue.status', '=', 'ignored')],
  ['archived', (eb: IssueExpressions) => eb('issue.status', '=', 'ignored')],
  ['new', (eb: IssueExpressions) => eb('issue.substatus', '=', 'new')],
  ['ongoing', (eb: IssueExpressions) => eb('issue.substatus', '=', 'ongoing')],
  ['regressed', (eb: IssueExpressions) => eb('issue.substatus', '=', 'regressed')],
  ['unhandled', (eb: IssueExpressions) => eb('issue.is_unhandled', '=', 1)],
  ['handled', (eb: IssueExpressions) => eb('issue.is_unhandled', '=', 0)],
])

export function isCondition(eb: IssueExpressions, state: string, at: number): Expression<SqlBool> {
  const condition = STATES.get(state)
  if (!condition) {
    const known = [...STATES.keys()].join(', ')
    throw new SearchError(`"is:${state}" is not known`, at, `Known are: ${known}.`)
  }
  return condition(eb)
}

/** For people who look for a state; `archived` is another word for `ignored`. */
export const STATE_DESCRIPTIONS = [
  { value: 'unresolved', description: 'Open: somebody has to look at it' },
  { value: 'resolved', description: 'Done, and it has not come back' },
  { value: 'ignored', description: 'Put away' },
  { value: 'new', description: 'Open and never touched' },
  { value: 'regressed', description: 'Came back after it was resolved' },
  { value: 'ongoing', description: 'Open for a while, or reopened' },
  { value: 'unhandled', description: 'Reached the top: nobody caught it' },
  { value: 'handled', description: 'Every event was caught' },
] as const
