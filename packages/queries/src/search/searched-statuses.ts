import { ISSUE_STATUSES, type IssueStatus } from '@sonde/stores'
import { issueFieldOf, type IssueTerm } from './search-fields.ts'
import { exactText } from './search-term.ts'

/** In which states an issue may be that fulfils all terms: the one that `is:…` names, or any. */
export function statusesOf(terms: readonly IssueTerm[]): readonly IssueStatus[] {
  for (const term of terms) {
    if (term.kind !== 'filter' || term.negated || issueFieldOf(term.key) !== 'is') continue
    const [only, ...others] = term.values
    if (!only || others.length > 0) continue
    const named = exactText(only) === 'archived' ? 'ignored' : exactText(only)
    const status = ISSUE_STATUSES.find((known) => known === named)
    if (status) return [status]
  }
  return ISSUE_STATUSES
}
