/** Browsers that a person wants notifications in. https://www.w3.org/TR/push-api/#pushsubscription-interface */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type PushTables = { push_subscription: PushSubscriptionTable }

export type PushSubscriptionTable = {
  id: Generated<number>
  user_id: Fixed<string>
  /** It ends with the session in which it was switched on: who signs out of a browser leaves nothing behind there. */
  session_id: Fixed<string>
  /** At the browser's maker; whoever knows it and the keys can send there. */
  endpoint: Fixed<string>
  /** Of the browser, in base64url: what messages are encrypted for. */
  p256dh: Fixed<string>
  auth: Fixed<string>
  user_agent: Fixed<string>
  created_ms: Fixed<number>
}

export const PUSH: readonly string[] = [
  `CREATE TABLE push_subscription (id integer PRIMARY KEY AUTOINCREMENT,
    user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
    session_id text NOT NULL REFERENCES "session" (id) ON DELETE CASCADE, endpoint text NOT NULL UNIQUE,
    p256dh text NOT NULL, auth text NOT NULL, user_agent text NOT NULL, created_ms integer NOT NULL)`,
  'CREATE INDEX push_subscription_by_user ON push_subscription (user_id, id)',
  'CREATE INDEX push_subscription_by_session ON push_subscription (session_id)',
]
