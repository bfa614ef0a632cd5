/**
 * The relational records (SQLite or PostgreSQL, through Kysely). Times are Unix milliseconds, JSON is text,
 * booleans are 0/1. better-auth owns the tables `user`, `session`, `account`, `verification`; they are
 * created by our migrations and listed here only as far as we read them.
 */
import type { ColumnType, Generated, Kysely } from 'kysely'
import type { AccountTables } from './account-tables.ts'
import type { AlertTables } from './alert-tables.ts'
import type { ArtifactTables } from './artifact-tables.ts'
import type { AuditAction } from './audit-actions.ts'
import type { BackupTables } from './backup-tables.ts'
import type { ChannelTables } from './channel-tables.ts'
import type { CommentTables } from './comment-tables.ts'
import type { CronTables } from './cron-tables.ts'
import type { ErasureTables } from './erasure-tables.ts'
import type { EventDeletionTables } from './event-deletion-tables.ts'
import type { ExportTables } from './export-tables.ts'
import type { IdempotencyTables } from './idempotency-tables.ts'
import type { InvitationTables } from './invitation-tables.ts'
import type { JobTables, ReprocessingTables } from './job-tables.ts'
import type { LogPartitionColumn } from './log-partition.ts'
import type { ModelTables } from './model-tables.ts'
import type { MoveTables } from './move-tables.ts'
import type { NodeTables } from './node-tables.ts'
import type { OauthTables } from './oauth-tables.ts'
import type { OwnershipTables } from './ownership-tables.ts'
import type { PersonColumns, SignInTables, TokenLifeColumns } from './people-tables.ts'
import type { PushTables } from './push-tables.ts'
import type { RecentlyDeletedTables } from './recently-deleted-tables.ts'
import type { ReleaseTables } from './release-tables.ts'
import type { ReplayTables } from './replay-tables.ts'
import type { Role } from './roles.ts'
import type { ScimTables } from './scim-tables.ts'
import type { ShareColumns, ShareTables } from './share-tables.ts'
import type { SpikeTables } from './spike-tables.ts'
import type { SsoTables } from './sso-tables.ts'
import type { StatusTables } from './status-tables.ts'
import type { StorageTables } from './storage-tables.ts'
import type { MembersSeeColumn, TeamTables } from './team-tables.ts'
import type { ThinningTables } from './thinning-tables.ts'
import type { TrackerTables } from './tracker-tables.ts'
import type { AssigneeColumns, ReviewColumns, TriageTables } from './triage-tables.ts'
import type { UptimeTables } from './uptime-tables.ts'

export type Records = Kysely<RecordsSchema>

export type RecordsSchema = OwnTables &
  AccountTables &
  AlertTables &
  ArtifactTables &
  BackupTables &
  ChannelTables &
  InvitationTables &
  CommentTables &
  ErasureTables &
  EventDeletionTables &
  IdempotencyTables &
  ExportTables &
  JobTables &
  MoveTables &
  NodeTables &
  OauthTables &
  OwnershipTables &
  PushTables &
  RecentlyDeletedTables &
  ReleaseTables &
  ReprocessingTables &
  ReplayTables &
  ScimTables &
  ShareTables &
  SignInTables &
  SpikeTables &
  ThinningTables &
  SsoTables &
  StatusTables &
  StorageTables &
  TeamTables &
  TrackerTables &
  ModelTables &
  TriageTables &
  UptimeTables &
  CronTables

type OwnTables = {
  user: UserTable
  session: SessionTable
  twoFactor: TwoFactorTable
  organization: OrganizationTable
  member: MemberTable
  project: ProjectTable
  project_key: ProjectKeyTable
  project_setting: ProjectSettingTable
  key_epoch: KeyEpochTable
  settings_epoch: KeyEpochTable
  digest_settings: DigestSettingsTable
  span_usage: SpanUsageTable
  deletion: DeletionTable
  api_token: ApiTokenTable
  issue: IssueTable
  issue_hash: IssueHashTable
  pipeline_state: PipelineStateTable
  project_hold: ProjectHoldTable
  newcomer: NewcomerTable
  dead_letter: DeadLetterTable
  attachment: AttachmentTable
  /** Kept by triggers. */
  attachment_usage: { project_id: Fixed<number>; bytes: number }
  blob_garbage: BlobGarbageTable
  audit_entry: AuditEntryTable
  setting: SettingTable
}

/** Insertable, never updated. */
type Fixed<T> = ColumnType<T, T, never>

export type UserTable = PersonColumns & {
  id: Fixed<string>
  email: string
  /** 1: somebody has shown that this person reads the address. */
  emailVerified: Generated<number>
  name: string
  /** ISO text. */
  createdAt: Fixed<string>
  /** 1: after the password a code or a passkey is asked for. Null: never switched on. */
  twoFactorEnabled: number | null
}
/** Times are ISO texts. `token` is the SHA-256 of what is in the cookie. */
export type SessionTable = {
  id: Fixed<string>
  userId: Fixed<string>
  token: Fixed<string>
  createdAt: Fixed<string>
  updatedAt: string
  expiresAt: string
  ipAddress: string | null
  userAgent: string | null
}
/** Encrypted with the installation's key, both. */
export type TwoFactorTable = {
  id: Fixed<string>
  userId: Fixed<string>
  secret: string
  backupCodes: string
  /** 0: set up, and no code was entered yet. */
  verified: number | null
}
export type OrganizationTable = ShareColumns &
  MembersSeeColumn & {
    id: Generated<number>
    slug: string
    name: string
    created_ms: Fixed<number>
    /** 1: members open it only with a second factor. */
    requires_second_factor: Generated<number>
  }
export type MemberTable = { org_id: number; user_id: string; role: Role; created_ms: Fixed<number> }

export type ProjectTable = {
  id: Generated<number>
  org_id: Fixed<number>
  slug: string
  name: string
  platform: string
  created_ms: Fixed<number>
  first_event_ms: number | null
  /** The last number given to an issue: `SHOP-42`. */
  issue_counter: Generated<number>
}

export type ProjectKeyTable = {
  id: Generated<number>
  project_id: Fixed<number>
  /** 32 lower hex. */
  public_key: Fixed<string>
  label: string
  is_active: Generated<number>
  /** Both null: no limit. */
  rate_limit_count: number | null
  rate_limit_window_sec: number | null
  created_ms: Fixed<number>
  /** Of a key that was rotated: from here on it counts as disabled. */
  active_until_ms: ColumnType<number | null, number | null | undefined, number | null>
  /** Digits: what DSNs of the product that the key was imported from call the project. Null: made here. */
  foreign_project: ColumnType<string | null, string | null | undefined, never>
}

/** No row: everything as by default. */
export type ProjectSettingTable = {
  project_id: Fixed<number>
  /** JSON, read with `readProjectSettings`. */
  value: string
  /** Of the whole project, each category on its own. Both null: no limit. */
  rate_limit_count: number | null
  rate_limit_window_sec: number | null
  /** JSON, read with `readAllowedDomains`. Null: every domain. */
  allowed_domains: ColumnType<string | null, string | null | undefined, string | null>
  /** Stored spans of a calendar `day` or `month` (UTC). Both null: no cap. */
  span_cap_count: OptionalColumn<number>
  span_cap_period: OptionalColumn<string>
  /** Spans that the door takes in a minute. Null: no cap. */
  span_minute_cap: OptionalColumn<number>
  /** The pipeline found the cap reached: until then the door refuses spans. */
  spans_refused_until_ms: OptionalColumn<number>
  /** 0: spikes of the project are stored whole. Null and 1: they are sampled. */
  is_spike_protected: OptionalColumn<number>
  updated_ms: number
}

type OptionalColumn<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>

/** Spans that were stored, by the day (UTC) of their receipt. */
export type SpanUsageTable = { project_id: number; day_ms: number; spans: number }

/** JSON of `{[projectId]: ProjectSettings}` that holds for records of the log from this position on. */
export type DigestSettingsTable = LogPartitionColumn & { from_position: Fixed<number>; value: string }

/** A deleted project whose rows and blobs are still to be removed, or, with `finished_ms`, were. */
export type DeletionTable = LogPartitionColumn & {
  id: Generated<number>
  project_id: Fixed<number>
  org_id: Fixed<number>
  /** `acme/shop`. */
  name: Fixed<string>
  /** Rows of the project can still be inserted until the pipeline has passed this position of the log. */
  after_position: Fixed<number>
  /** JSON: names of blobs that only its dead letters used. */
  blobs: string
  requested_ms: Fixed<number>
  finished_ms: number | null
}

/** One row; triggers raise `value` whenever a key or project changes, so that a process can poll one number. */
export type KeyEpochTable = { id: Fixed<number>; value: number }

export type ApiTokenTable = TokenLifeColumns & {
  id: Generated<number>
  /** Null: every organization of this installation; only the command line makes such a token. */
  org_id: Fixed<number | null>
  user_id: string | null
  name: string
  /** SHA-256 of the token, hex; the token itself is shown once and stored nowhere. */
  token_hash: Fixed<string>
  /** JSON array of scopes. */
  scopes: string
  created_ms: Fixed<number>
  last_used_ms: number | null
}

export const ISSUE_STATUSES = ['unresolved', 'resolved', 'ignored'] as const
export type IssueStatus = (typeof ISSUE_STATUSES)[number]

export type IssueTable = AssigneeColumns &
  ReviewColumns & {
    id: Generated<number>
    project_id: Fixed<number>
    short_number: Fixed<number>
    type: string
    level: string
    title: string
    culprit: string
    platform: string
    /** JSON: type, value, filename, function. */
    metadata: string
    logger: string
    status: Generated<IssueStatus>
    /** `new`, `ongoing`, `regressed`, … */
    substatus: Generated<string>
    is_unhandled: number
    first_seen_ms: number
    last_seen_ms: number
    event_count: number
    first_release: string
    last_release: string
    /** Of a resolved one: which events bring it back. Empty: any. `release`: those of a release that is not before
     * `resolved_release`; `next_release`: those of one after it. */
    resolved_in: Generated<'' | 'release' | 'next_release'>
    resolved_release: Generated<string>
    /** Of the event that brought it back the last time; empty: it never came back, or that event named none. */
    regressed_release: Generated<string>
    last_event_id: string
    created_ms: Fixed<number>
  }

export type IssueHashTable = { project_id: number; hash: string; issue_id: number }

/**
 * One row per consumer and partition of the log. `position` moves in the same transaction as the counts it produced, so counts are exact;
 * `inflight_*` is set before a batch goes to telemetry, so that after a crash the very same batch is repeated.
 */
export type PipelineStateTable = LogPartitionColumn & {
  name: Fixed<string>
  position: number
  inflight_from: number | null
  inflight_to: number | null
  /** JSON: items of the batch in flight, as `position:index`, with the reason for which they are not stored. */
  held: string | null
  /** JSON: the projects whose events are in the batch in flight; null although there is one: an earlier version marked it. */
  inflight_projects: string | null
  /** How many processes began with the batch in flight and did not come to its end. */
  inflight_tries: Generated<number>
}

/** Of a project that is held, no process begins a batch: `packages/pipeline/src/commit/project-holds.ts`. */
export type ProjectHoldTable = { project_id: Fixed<number>; owner: string; until_ms: number }

/** What a project made in a minute of receipt, and what was held back: `records/newcomers.ts`. */
export type NewcomerTable = {
  project_id: Fixed<number>
  kind: Fixed<string>
  minute_ms: Fixed<number>
  made: number
  held: number
}

export type DeadLetterTable = LogPartitionColumn & {
  id: Generated<number>
  project_id: number | null
  log_position: number
  item_index: number
  item_type: string
  /** One of the pipeline's literal reasons. */
  reason: string
  detail: string
  /** Where the intake record lies among the blobs. */
  blob: string
  created_ms: Fixed<number>
  replayed_ms: number | null
  /** `sentry_client` of the sender; empty when it said nothing. */
  sdk: ColumnType<string, string | undefined, string>
  /** Of the record; 0: not known. */
  bytes: ColumnType<number, number | undefined, number>
  /** Somebody decided that it is not worth trying again; its bytes are gone. */
  discarded_ms: ColumnType<number | null, number | null | undefined, number | null>
}

/** A file that came with an event. The event may come later, or never. */
export type AttachmentTable = LogPartitionColumn & {
  id: Generated<number>
  project_id: Fixed<number>
  /** 32 lower hex. */
  event_id: Fixed<string>
  name: Fixed<string>
  /** What the sender says it is; never what a browser is told. */
  content_type: Fixed<string>
  /** `event.attachment`, `event.view_hierarchy`, … */
  attachment_type: Fixed<string>
  /** What its first bytes say: a raster image's type, `text/plain`, or empty for what is only downloaded. */
  shown_as: Fixed<string>
  bytes: Fixed<number>
  sha1: Fixed<string>
  sha256: Fixed<string>
  /** Equal content of one project has one blob. */
  blob: Fixed<string>
  log_position: Fixed<number>
  item_index: Fixed<number>
  /** When it was received: from then on it is kept as long as events are. */
  created_ms: Fixed<number>
}

/** Blobs that nothing refers to any more and that are still to be deleted; from `since_ms` on, when that is to come. */
export type BlobGarbageTable = { name: Fixed<string>; since_ms: number }

export type AuditEntryTable = {
  id: Generated<number>
  org_id: number | null
  /** `actorOf`; `stranger`: nobody who had signed in. */
  actor: Fixed<string>
  action: Fixed<AuditAction>
  /** What it was done to: `acme/shop`, a person's id, … */
  subject: Fixed<string>
  /** JSON. */
  detail: Fixed<string>
  at_ms: Fixed<number>
  /** From where, as far as it is known. */
  address: ColumnType<string | null, string | null | undefined, never>
}

export type SettingTable = { name: Fixed<string>; value: string }
