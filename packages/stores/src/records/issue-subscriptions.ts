/** Who is told of what happens to an issue. Sentry's rules: https://docs.sentry.io/product/issues/#subscriptions */
import type { Records } from './schema.ts'
import type { SubscriptionReason } from './triage-tables.ts'

/** These subscribe again whoever unsubscribed: somebody wants just them. */
const INSISTS: ReadonlySet<SubscriptionReason> = new Set(['assigned', 'mentioned'])

// Five parameters for each row; SQLite takes 32,766 in one statement.
const ROWS_AT_ONCE = 1_000

/** Each of these people to each of these issues. Who is subscribed already keeps the first reason. */
export async function subscribe(
  tx: Records,
  { issueIds, userIds }: { readonly issueIds: readonly number[]; readonly userIds: readonly string[] },
  reason: SubscriptionReason,
  nowMs: number,
): Promise<void> {
  const people = [...new Set(userIds)]
  const rows = issueIds.flatMap((issue_id) =>
    people.map((user_id) => ({ issue_id, user_id, is_active: 1, reason, created_ms: nowMs })),
  )
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await tx
      .insertInto('issue_subscription')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .onConflict((conflict) => {
        const known = conflict.columns(['issue_id', 'user_id'])
        return INSISTS.has(reason) ? known.doUpdateSet({ is_active: 1 }) : known.doNothing()
      })
      .execute()
}
