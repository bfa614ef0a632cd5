/** What somebody noted about issues, and until when they are archived: for the rows of a page. */
import type { Grant } from '@sonde/access'
import type { SubscriptionReason } from '@sonde/stores'
import { personOf } from '../person-of.ts'
import type { QueryDeps } from '../query-deps.ts'
import type { IssueRow } from './issue-row.ts'

export type IssueMarks = {
  readonly isBookmarked: boolean
  readonly isSubscribed: boolean
  /** Why they are told of it, or would be; undefined: nothing ever subscribed them. */
  readonly subscriptionReason: SubscriptionReason | undefined
  readonly hasSeen: boolean
  /** Of an ignored one that comes back by itself. */
  readonly archivedUntil: ArchivedUntil | undefined
}

/** Any of them brings it back. */
export type ArchivedUntil = {
  readonly untilMs: number | undefined
  readonly events: number | undefined
  readonly eventMinutes: number | undefined
  readonly users: number | undefined
  readonly userMinutes: number | undefined
  readonly isUntilEscalating: boolean
}

/** Four reads along keys. For nobody all is false. */
export async function issueMarks(
  { records }: Pick<QueryDeps, 'records'>,
  { viewer }: Grant<'event:read', 'org' | 'project'>,
  issues: readonly Pick<IssueRow, 'id' | 'status' | 'substatus'>[],
): Promise<(id: number) => IssueMarks> {
  const ids = issues.map(({ id }) => id)
  const userId = personOf(viewer)
  const own = ids.length > 0 && userId !== undefined
  const archived = issues.filter(
    ({ status, substatus }) => status === 'ignored' && substatus.startsWith('archived_until_'),
  )
  const marked = (table: 'issue_bookmark' | 'issue_view') =>
    own
      ? records
          .selectFrom(table)
          .select('issue_id')
          .where('user_id', '=', userId)
          .where('issue_id', 'in', ids)
          .execute()
      : []
  const [bookmarks, views, subscriptions, snoozes] = await Promise.all([
    marked('issue_bookmark'),
    marked('issue_view'),
    own
      ? records
          .selectFrom('issue_subscription')
          .select(['issue_id', 'is_active', 'reason'])
          .where('user_id', '=', userId)
          .where('issue_id', 'in', ids)
          .execute()
      : [],
    archived.length === 0
      ? []
      : records
          .selectFrom('issue_snooze')
          .selectAll()
          .where(
            'issue_id',
            'in',
            archived.map(({ id }) => id),
          )
          .execute(),
  ])
  const idsOf = (rows: readonly { readonly issue_id: number }[]) =>
    new Set(rows.map(({ issue_id: id }) => id))
  const [bookmarked, seen] = [idsOf(bookmarks), idsOf(views)]
  const subscribed = new Map(subscriptions.map((row) => [row.issue_id, row]))
  const snoozed = new Map(snoozes.map((row) => [row.issue_id, row]))
  return (id) => {
    const snooze = snoozed.get(id)
    return {
      isBookmarked: bookmarked.has(id),
      isSubscribed: subscribed.get(id)?.is_active === 1,
      subscriptionReason: subscribed.get(id)?.reason,
      hasSeen: seen.has(id),
      archivedUntil: snooze && {
        untilMs: snooze.until_ms ?? undefined,
        events: snooze.event_count ?? undefined,
        eventMinutes: snooze.event_minutes ?? undefined,
        users: snooze.user_count ?? undefined,
        userMinutes: snooze.user_minutes ?? undefined,
        isUntilEscalating: snooze.is_until_escalating === 1,
      },
    }
  }
}
