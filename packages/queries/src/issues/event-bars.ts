/** The small chart beside an issue: events per hour of a day, or per day of two weeks. */
import { type BoundedMap, type Clock, createBoundedMap } from '@sonde/base'
import { EVENT_COUNT, EVENT_USERS } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'
import type { IssueRow } from './issue-row.ts'

// How many different users the issues of one page had.

/**
 * For at most 100 issues; reads their ranges of `events` (ordering key project, issue), one narrow column. An estimate
 * (`uniq`) that is exact up to some tens of thousands: https://clickhouse.com/docs/sql-reference/aggregate-functions/reference/uniq
 */
export async function userCounts(
  deps: Pick<QueryDeps, 'telemetry' | 'clock'>,
  issues: readonly CountedIssue[],
): Promise<(issueId: number) => number> {
  const { telemetry: owner, clock } = deps
  const users = await rememberUsers({ owner, question: 'users', clock }, issues, (unknown) =>
    countUsers(deps, unknown),
  )
  return (issueId) => users(issueId) ?? 0
}

const rememberUsers = createIssueMemory<number>()

async function countUsers(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  issues: readonly CountedIssue[],
): Promise<(issueId: number) => number> {
  const rows = await telemetry.query<{ issue: number; users: number }>(
    `SELECT issue_id AS issue, ${EVENT_USERS} AS users FROM events
     WHERE project_id IN {projects:Array(UInt32)} AND issue_id IN {issues:Array(UInt64)}
     GROUP BY issue_id`,
    {
      projects: [...new Set(issues.map((issue) => issue.project.id))],
      issues: issues.map((issue) => issue.id),
    },
  )
  const counts = new Map(rows.map((row) => [row.issue, row.users]))
  return (issueId) => counts.get(issueId) ?? 0
}

export type BarPeriod = '24h' | '14d'
export type EventBars = {
  readonly period: BarPeriod
  readonly stepSec: number
  /** Unix seconds of the first bar's begin, a multiple of the step. */
  readonly startSec: number
  /** 24 or 14 numbers; the last bar is the running hour or day. */
  readonly counts: readonly number[]
}

const STEPS: Readonly<Record<BarPeriod, { readonly stepSec: number; readonly bars: number }>> = {
  '24h': { stepSec: 3_600, bars: 24 },
  '14d': { stepSec: 86_400, bars: 14 },
}

/** For at most 100 issues; reads the end of their ranges of `events` (ordering key project, issue, timestamp). */
export async function eventBars(
  deps: Pick<QueryDeps, 'telemetry' | 'clock'>,
  issues: readonly CountedIssue[],
  period: BarPeriod,
): Promise<(issueId: number) => EventBars> {
  const { telemetry: owner, clock } = deps
  const { stepSec, bars } = STEPS[period]
  const startSec = (Math.floor(clock.nowMs() / 1000 / stepSec) - (bars - 1)) * stepSec
  const window = { startSec, stepSec, bars }
  const question = `bars ${startSec} ${stepSec}`
  const counts = await remember({ owner, question, clock }, issues, (unknown) =>
    countBars(deps, unknown, window),
  )
  const none = Array.from({ length: bars }, () => 0)
  return (issueId) => ({ period, stepSec, startSec, counts: counts(issueId) ?? none })
}

const remember = createIssueMemory<readonly number[]>()

type Window = { readonly startSec: number; readonly stepSec: number; readonly bars: number }

async function countBars(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  issues: readonly CountedIssue[],
  { startSec, stepSec, bars }: Window,
): Promise<(issueId: number) => readonly number[]> {
  const rows = await telemetry.query<{ issue: number; bar: number; n: number }>(
    `SELECT issue_id AS issue, intDiv(toUnixTimestamp(timestamp) - {start:UInt32}, {step:UInt32}) AS bar,
       ${EVENT_COUNT} AS n
     FROM events
     WHERE project_id IN {projects:Array(UInt32)} AND issue_id IN {issues:Array(UInt64)}
       AND timestamp >= {since:DateTime64(3)}
     GROUP BY issue, bar`,
    {
      projects: [...new Set(issues.map((issue) => issue.project.id))],
      issues: issues.map((issue) => issue.id),
      start: startSec,
      step: stepSec,
      since: startSec * 1000,
    },
  )
  const none = Array.from({ length: bars }, () => 0)
  const counts = new Map<number, number[]>()
  for (const { issue, bar, n } of rows) {
    const list = counts.get(issue) ?? [...none]
    // A clock ahead of ours puts an event beyond the last bar.
    if (bar >= 0 && bar < bars) list[bar] = n
    counts.set(issue, list)
  }
  return (issueId) => counts.get(issueId) ?? none
}

/**
 * What was counted of an issue's events stays true until another event of it is stored, and that changes its
 * `eventCount`. So a list that is looked at again and again counts only the issues that moved meanwhile. Events that
 * leave by age do not change the number: what is remembered is forgotten after a while.
 */
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
  return async function rememberCounts<Issue extends CountedIssue>(
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
