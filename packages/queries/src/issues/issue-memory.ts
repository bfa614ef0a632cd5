/**
 * What was counted of an issue's events stays true until another event of it is stored, and that changes its
 * `eventCount`. So a list that is looked at again and again counts only the issues that moved meanwhile. Events that
 * leave by age do not change the number: what is remembered is forgotten after a while.
 */
import { type BoundedMap, type Clock, createBoundedMap } from '@sonde/base'
import type { IssueRow } from './issue-row.ts'

export type CountedIssue = Pick<IssueRow, 'id' | 'project' | 'eventCount'>
type Remembered<Value> = { readonly eventCount: number; readonly atMs: number; readonly value: Value }

const MAX_AGE_MS = 10 * 60_000
// A hundred full pages; the oldest goes first.
const MAX_ISSUES = 10_000

/**
 * `owner` is the store that was asked (another store, another memory); `question` names what was counted, and the same
 * question must have the same answer for the same events. `count` is asked for the issues that are not known.
 */
export function createIssueMemory<Value>() {
  const memories = new WeakMap<object, BoundedMap<string, Remembered<Value>>>()
  return async function remember<Issue extends CountedIssue>(
    { owner, question, clock }: { readonly owner: object; readonly question: string; readonly clock: Clock },
    issues: readonly Issue[],
    count: (unknown: readonly Issue[]) => Promise<(issueId: number) => Value>,
  ): Promise<(issueId: number) => Value | undefined> {
    const memory = memories.get(owner) ?? createBoundedMap<string, Remembered<Value>>(MAX_ISSUES)
    memories.set(owner, memory)
    const nowMs = clock.nowMs()
    const keyOf = ({ id }: Pick<Issue, 'id'>): string => `${question} ${id}`
    const isKnown = (issue: Issue): boolean => {
      const known = memory.get(keyOf(issue))
      return known?.eventCount === issue.eventCount && Math.abs(nowMs - known.atMs) < MAX_AGE_MS
    }
    const unknown = issues.filter((issue) => !isKnown(issue))
    const values = new Map<number, Value>()
    for (const issue of issues) {
      const known = memory.get(keyOf(issue))
      if (known) values.set(issue.id, known.value)
    }
    if (unknown.length > 0) {
      const valueOf = await count(unknown)
      for (const issue of unknown) {
        const value = valueOf(issue.id)
        values.set(issue.id, value)
        memory.set(keyOf(issue), { eventCount: issue.eventCount, atMs: nowMs, value })
      }
    }
    return (issueId) => values.get(issueId)
  }
}
