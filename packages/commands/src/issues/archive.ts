/** Until when an ignored issue is away: a time, more events, more users, or that it comes much more often. */
import type { IssueSnoozeTable, Records } from '@sonde/stores'
import type { Insertable } from 'kysely'
import { z } from 'zod'

const MAX_MS = Date.UTC(2100, 0, 1)
/** Counted from stored events, and the shortest retention keeps a month of them. */
const MAX_MINUTES = 30 * 24 * 60
const many = z.int().min(1, 'is at least 1').max(1_000_000_000, 'is too many').optional()
const minutes = z.int().min(1, 'is at least 1').max(MAX_MINUTES, `is at most ${MAX_MINUTES}`).optional()

export const archiveField = z
  .object({
    untilMs: z.int().min(0).max(MAX_MS, 'is too far away').optional(),
    minutes: z.int().min(1, 'is at least 1').max(1_000_000, 'is too long').optional(),
    events: many,
    eventMinutes: minutes,
    users: many,
    userMinutes: minutes,
    isUntilEscalating: z.boolean().optional(),
  })
  .refine(
    ({ untilMs, minutes: forMinutes, events, users, isUntilEscalating }) =>
      [untilMs, forMinutes, events, users].some((value) => value !== undefined) || isUntilEscalating === true,
    'says no time, no number of events or users, and not "until escalating"',
  )

/** Any of them brings the issue back. At least one is there. */
export type Archive = {
  /** Unix milliseconds. */
  readonly untilMs?: number | undefined
  /** Instead of `untilMs`: from now. */
  readonly minutes?: number | undefined
  /** So many more events; within `eventMinutes`, or without an end. */
  readonly events?: number | undefined
  readonly eventMinutes?: number | undefined
  readonly users?: number | undefined
  readonly userMinutes?: number | undefined
  readonly isUntilEscalating?: boolean | undefined
}

/** Nothing else is promised, so one that is archived so already stays as it is, with what it was compared to. */
export const isUntilEscalatingAlone = ({ isUntilEscalating, ...others }: Archive): boolean =>
  isUntilEscalating === true && Object.values(others).every((value) => value === undefined)

export const substatusOf = ({ isUntilEscalating = false }: Archive): string =>
  isUntilEscalating ? 'archived_until_escalating' : 'archived_until_condition_met'

/** In the transaction that archives them. */
export async function snooze(
  tx: Records,
  ids: readonly number[],
  archive: Archive,
  nowMs: number,
): Promise<void> {
  const { minutes: forMinutes } = archive
  const until = archive.untilMs ?? (forMinutes === undefined ? null : nowMs + forMinutes * 60_000)
  const values: Omit<Insertable<IssueSnoozeTable>, 'issue_id' | 'base_count' | 'looked_count'> = {
    until_ms: until,
    event_count: archive.events ?? null,
    event_minutes: archive.eventMinutes ?? null,
    user_count: archive.users ?? null,
    user_minutes: archive.userMinutes ?? null,
    is_until_escalating: archive.isUntilEscalating === true ? 1 : 0,
    started_ms: nowMs,
  }
  const issues = await tx.selectFrom('issue').select(['id', 'event_count']).where('id', 'in', ids).execute()
  for (const part of partsOf(issues)) {
    await tx
      .deleteFrom('issue_snooze')
      .where(
        'issue_id',
        'in',
        part.map(({ id }) => id),
      )
      .execute()
    await tx
      .insertInto('issue_snooze')
      .values(
        part.map(({ id, event_count: count }) => ({
          issue_id: id,
          base_count: count,
          looked_count: count,
          ...values,
        })),
      )
      .execute()
  }
}

// Ten parameters for each row; SQLite takes 32,766 in one statement.
const ROWS_AT_ONCE = 1_000

function* partsOf<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) yield rows.slice(at, at + ROWS_AT_ONCE)
}
