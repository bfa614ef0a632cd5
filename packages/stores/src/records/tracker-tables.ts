/**
 * Issue trackers: the connections of an organization, and which issue there belongs to which of ours. A link is its own outbox:
 * `wanted` says what the tracker is to be told, so however often an issue changes meanwhile, the last state is what it hears.
 * Times are Unix milliseconds, JSON is text. docs/internals/trackers.md
 */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>

export type TrackerTables = {
  tracker_connection: TrackerConnectionTable
  tracker_link: TrackerLinkTable
}

export const TRACKER_KINDS = ['github', 'gitlab', 'jira', 'linear'] as const
export type TrackerKind = (typeof TRACKER_KINDS)[number]

export type TrackerConnectionTable = {
  id: Generated<number>
  org_id: Fixed<number>
  kind: Fixed<TrackerKind>
  name: string
  /** JSON, without secrets. */
  settings: string
  /** JSON, sealed with the installation's key: the token, and what webhooks are signed with. */
  secret: string
  /** 1: who closes or opens an issue there resolves or reopens it here. */
  sync_in: number
  /** 1: who resolves or reopens an issue here closes or opens it there. */
  sync_out: number
  created_by: Fixed<string>
  created_ms: Fixed<number>
  updated_ms: number
  /** Since when the tracker takes nothing; null: it took the last. */
  failing_since_ms: Optional<number>
  /** When the last webhook with a right signature came. */
  webhook_ms: Optional<number>
}

const TRACKER_STATES = ['open', 'closed', 'deleted'] as const
export type TrackerState = (typeof TRACKER_STATES)[number]
export type RequestedState = 'open' | 'closed'
/** Empty: nothing. `create`: the issue does not exist there yet. */
export type TrackerRequest = '' | 'create' | RequestedState

export type TrackerLinkTable = {
  id: Generated<number>
  connection_id: Fixed<number>
  /** Another one's, once it became part of it. */
  issue_id: number
  /** The tracker's own id, which stays when the issue moves. Empty: it is to be created. */
  external_id: string
  /** As people call it: `acme/shop#12`, `SHOP-12`. */
  external_key: string
  url: string
  title: string
  state: TrackerState
  /** When the tracker says that it changed last: what is older than this is no news. */
  changed_ms: number
  synced_ms: number
  created_by: Fixed<string>
  created_ms: Fixed<number>
  wanted: TrackerRequest
  attempts: Generated<number>
  /** Of a request: not before. */
  next_attempt_ms: number
  /** What the tracker said when it refused the last time, for people; empty: it took it. */
  answer: Generated<string>
}

export const TRACKERS: readonly string[] = [
  `CREATE TABLE tracker_connection (id integer PRIMARY KEY AUTOINCREMENT,
    org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE, kind text NOT NULL, name text NOT NULL,
    settings text NOT NULL, secret text NOT NULL, sync_in integer NOT NULL, sync_out integer NOT NULL,
    created_by text NOT NULL, created_ms integer NOT NULL, updated_ms integer NOT NULL, failing_since_ms integer,
    webhook_ms integer)`,
  'CREATE INDEX tracker_connection_by_org ON tracker_connection (org_id, id)',
  `CREATE TABLE tracker_link (id integer PRIMARY KEY AUTOINCREMENT,
    connection_id integer NOT NULL REFERENCES tracker_connection (id) ON DELETE CASCADE,
    issue_id integer NOT NULL REFERENCES issue (id) ON DELETE CASCADE, external_id text NOT NULL,
    external_key text NOT NULL, url text NOT NULL, title text NOT NULL, state text NOT NULL, changed_ms integer NOT NULL,
    synced_ms integer NOT NULL, created_by text NOT NULL, created_ms integer NOT NULL, wanted text NOT NULL,
    attempts integer NOT NULL DEFAULT 0, next_attempt_ms integer NOT NULL, answer text NOT NULL DEFAULT '')`,
  'CREATE UNIQUE INDEX tracker_link_of_issue ON tracker_link (issue_id, connection_id, external_id)',
  'CREATE INDEX tracker_link_by_external ON tracker_link (connection_id, external_id)',
  `CREATE INDEX tracker_link_due ON tracker_link (next_attempt_ms) WHERE wanted <> ''`,
]
