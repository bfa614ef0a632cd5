/** What a count over a time means for the incidents of an issue rule: each busy issue has one, until it is calm again. */
import type { Records } from '@sonde/stores'
import { isOfAssignee, type IssueRule } from '../rules/rule.ts'
import { openOrRepeat, resolveIncident, readIssueFacts, type IssueDeps } from './incidents.ts'

export type IssueFact = {
  readonly issueId: number
  readonly kind: 'events' | 'users' | 'escalating'
  readonly count: number
  readonly usual: number
  readonly minutes: number
  readonly atMs: number
}

type RuleRow = { readonly id: number; readonly name: string }

export async function fireIssue(
  tx: Records,
  deps: IssueDeps,
  { id, name }: RuleRow,
  rule: IssueRule,
  facts: readonly IssueFact[],
  nowMs: number,
): Promise<void> {
  const busy = new Map(facts.map((fact) => [fact.issueId, fact]))
  const issues = await readIssueFacts(tx, [...busy.keys()])
  for (const issue of issues) {
    const fact = busy.get(issue.issue_id)
    // What was resolved or archived is not told again for what came before.
    if (!fact || issue.status !== 'unresolved' || !isOfAssignee(rule, issue)) continue
    const change = {
      key: `${fact.kind}:${fact.atMs}`,
      kind: fact.kind,
      eventId: issue.last_event_id,
      atMs: fact.atMs,
    }
    const extra = [
      [fact.kind === 'users' ? 'Users' : 'Events', `${fact.count} in ${minutesText(fact.minutes)}`] as const,
    ]
    await openOrRepeat(tx, deps, issue, { id, name, rule }, change, nowMs, extra)
  }
  const open = await tx
    .selectFrom('incident')
    .select(['id', 'issue_id', 'cause'])
    .where('rule_id', '=', id)
    .where('resolved_ms', 'is', null)
    .execute()
  for (const { id: incidentId, issue_id, cause } of open) {
    const { kind } = JSON.parse(cause) as { kind?: string }
    const isCounted = kind === 'events' || kind === 'users' || kind === 'escalating'
    if (isCounted && issue_id !== null && !busy.has(issue_id))
      await resolveIncident(tx, deps, incidentId, nowMs)
  }
}

const minutesText = (minutes: number): string =>
  minutes % 1_440 === 0 ? `${minutes / 1_440} d` : minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`
