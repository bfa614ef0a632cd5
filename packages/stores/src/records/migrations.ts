/**
 * The records' schema as a literal list: never edit an entry that was released, append one. Each runs in one
 * transaction together with its bookkeeping. Statements are SQLite's; `postgres/translate.ts` says them to PostgreSQL.
 */
import { ACCOUNTS, ENDINGS } from './account-tables.ts'
import {
  ALERT_RULE_OWNER,
  ALERTS,
  DIGEST_HOUR,
  DEFAULT_RULES,
  NOTIFICATION_SETTINGS,
  ONE_ZONE,
  RELEASE_JUDGEMENTS,
} from './alert-tables.ts'
import { ARTIFACTS, BUILT_NAMES } from './artifact-tables.ts'
import { AUDIT_LOG } from './audit-actions.ts'
import { BACKUP_RUNS } from './backup-tables.ts'
import { CHANNEL_MESSAGES } from './channel-tables.ts'
import { COMMENTS } from './comment-tables.ts'
import { CRONS } from './cron-tables.ts'
import { ERASURES } from './erasure-tables.ts'
import { EVENT_DELETIONS } from './event-deletion-tables.ts'
import { EXPORTS } from './export-tables.ts'
import { NOW_MS_POSTGRES } from './expressions.ts'
import { IDEMPOTENT_REQUESTS } from './idempotency-tables.ts'
import { INVITATIONS } from './invitation-tables.ts'
import { JOB_LEASES, REPROCESSING } from './job-tables.ts'
import { LOG_PARTITION, LOG_PARTITION_POSTGRES } from './log-partition.ts'
import { LANGUAGE_MODELS } from './model-tables.ts'
import { MOVES } from './move-tables.ts'
import { NODES } from './node-tables.ts'
import { OAUTH } from './oauth-tables.ts'
import { OWNERSHIP, OWNERSHIP_RUNS } from './ownership-tables.ts'
import { PEOPLE, SESSIONS_AND_AUDIT, SIGN_IN } from './people-tables.ts'
import { ATTACHMENT_USAGE_POSTGRES } from './postgres/attachment-usage.ts'
import { toPostgres } from './postgres/translate.ts'
import { PUSH } from './push-tables.ts'
import { RECENTLY_DELETED } from './recently-deleted-tables.ts'
import { ISSUE_COMMITS, RELEASES } from './release-tables.ts'
import { REPLAY_DELETIONS, REPLAY_VIDEOS, REPLAY_VIEWS, REPLAYS_TABLES } from './replay-tables.ts'
import { SCIM } from './scim-tables.ts'
import { SHARES } from './share-tables.ts'
import { SPIKES } from './spike-tables.ts'
import { ISSUE_TEXT } from './sqlite/sqlite-text-index.ts'
import { SSO } from './sso-tables.ts'
import { STATUS_PAGES } from './status-tables.ts'
import { STORAGE } from './storage-tables.ts'
import { PROJECT_ACCESS, TEAMS } from './team-tables.ts'
import { THINNING } from './thinning-tables.ts'
import { TRACKERS } from './tracker-tables.ts'
import { FEEDBACK, PINNED_SEARCHES, REVIEW, TRIAGE } from './triage-tables.ts'
import { UPTIME } from './uptime-tables.ts'

export type RecordsMigration = {
  readonly name: string
  readonly statements: readonly string[]
  /** Instead of `statements`, where these cannot be translated. */
  readonly postgres?: readonly string[]
}

/** better-auth 1.6 owns these: exactly what its `getMigrations` prints for SQLite, so that it finds nothing to change. */
const AUTH = [
  `CREATE TABLE "user" ("id" text NOT NULL PRIMARY KEY, "name" text NOT NULL, "email" text NOT NULL UNIQUE,
    "emailVerified" integer NOT NULL, "image" text, "createdAt" date NOT NULL, "updatedAt" date NOT NULL)`,
  `CREATE TABLE "session" ("id" text NOT NULL PRIMARY KEY, "expiresAt" date NOT NULL, "token" text NOT NULL UNIQUE,
    "createdAt" date NOT NULL, "updatedAt" date NOT NULL, "ipAddress" text, "userAgent" text,
    "userId" text NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE)`,
  `CREATE TABLE "account" ("id" text NOT NULL PRIMARY KEY, "accountId" text NOT NULL, "providerId" text NOT NULL,
    "userId" text NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE, "accessToken" text, "refreshToken" text,
    "idToken" text, "accessTokenExpiresAt" date, "refreshTokenExpiresAt" date, "scope" text, "password" text,
    "createdAt" date NOT NULL, "updatedAt" date NOT NULL)`,
  `CREATE TABLE "verification" ("id" text NOT NULL PRIMARY KEY, "identifier" text NOT NULL, "value" text NOT NULL,
    "expiresAt" date NOT NULL, "createdAt" date NOT NULL, "updatedAt" date NOT NULL)`,
  `CREATE INDEX "session_userId_idx" ON "session" ("userId")`,
  `CREATE INDEX "account_userId_idx" ON "account" ("userId")`,
  `CREATE INDEX "verification_identifier_idx" ON "verification" ("identifier")`,
]

const ORGANIZATIONS = [
  `CREATE TABLE organization (id integer PRIMARY KEY AUTOINCREMENT, slug text NOT NULL UNIQUE, name text NOT NULL,
    created_ms integer NOT NULL)`,
  `CREATE TABLE member (org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE, role text NOT NULL, created_ms integer NOT NULL,
    PRIMARY KEY (org_id, user_id))`,
  'CREATE INDEX member_by_user ON member (user_id)',
  // AUTOINCREMENT: an id is in DSNs and telemetry rows, so a deleted project's id must never come back.
  `CREATE TABLE project (id integer PRIMARY KEY AUTOINCREMENT,
    org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE, slug text NOT NULL, name text NOT NULL,
    platform text NOT NULL, created_ms integer NOT NULL, first_event_ms integer,
    issue_counter integer NOT NULL DEFAULT 0, UNIQUE (org_id, slug))`,
  `CREATE TABLE project_key (id integer PRIMARY KEY AUTOINCREMENT,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, public_key text NOT NULL UNIQUE,
    label text NOT NULL, is_active integer NOT NULL DEFAULT 1, rate_limit_count integer, rate_limit_window_sec integer,
    created_ms integer NOT NULL)`,
  'CREATE INDEX project_key_by_project ON project_key (project_id)',
  `CREATE TABLE api_token (id integer PRIMARY KEY AUTOINCREMENT,
    org_id integer REFERENCES organization (id) ON DELETE CASCADE,
    user_id text REFERENCES "user" (id) ON DELETE CASCADE, name text NOT NULL, token_hash text NOT NULL UNIQUE,
    scopes text NOT NULL, created_ms integer NOT NULL, last_used_ms integer)`,
  'CREATE INDEX api_token_by_org ON api_token (org_id)',
]

const bump = 'UPDATE key_epoch SET value = value + 1;'
/** `UPDATE OF`: counting an issue writes `project.issue_counter` all the time and must not reload every key. */
const KEY_EPOCH = [
  'CREATE TABLE key_epoch (id integer PRIMARY KEY CHECK (id = 1), value integer NOT NULL)',
  'INSERT INTO key_epoch (id, value) VALUES (1, 1)',
  `CREATE TRIGGER key_epoch_key_insert AFTER INSERT ON project_key BEGIN ${bump} END`,
  `CREATE TRIGGER key_epoch_key_update AFTER UPDATE ON project_key BEGIN ${bump} END`,
  `CREATE TRIGGER key_epoch_key_delete AFTER DELETE ON project_key BEGIN ${bump} END`,
  `CREATE TRIGGER key_epoch_project_insert AFTER INSERT ON project BEGIN ${bump} END`,
  `CREATE TRIGGER key_epoch_project_update AFTER UPDATE OF id, org_id, slug ON project BEGIN ${bump} END`,
  `CREATE TRIGGER key_epoch_project_delete AFTER DELETE ON project BEGIN ${bump} END`,
]

const ISSUES = [
  `CREATE TABLE issue (id integer PRIMARY KEY AUTOINCREMENT,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, short_number integer NOT NULL,
    type text NOT NULL, level text NOT NULL, title text NOT NULL, culprit text NOT NULL, platform text NOT NULL,
    metadata text NOT NULL, logger text NOT NULL, status text NOT NULL DEFAULT 'unresolved',
    substatus text NOT NULL DEFAULT 'new', is_unhandled integer NOT NULL, first_seen_ms integer NOT NULL,
    last_seen_ms integer NOT NULL, event_count integer NOT NULL, first_release text NOT NULL,
    last_release text NOT NULL, last_event_id text NOT NULL, created_ms integer NOT NULL,
    UNIQUE (project_id, short_number))`,
  // The issues list: one project, usually one status, newest first; `id` breaks ties for the cursor.
  'CREATE INDEX issue_by_last_seen ON issue (project_id, last_seen_ms DESC, id DESC)',
  'CREATE INDEX issue_by_status ON issue (project_id, status, last_seen_ms DESC, id DESC)',
  // WITHOUT ROWID: the look-up is the primary key, and the row is in it.
  `CREATE TABLE issue_hash (project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, hash text NOT NULL,
    issue_id integer NOT NULL REFERENCES issue (id) ON DELETE CASCADE, PRIMARY KEY (project_id, hash)) WITHOUT ROWID`,
  'CREATE INDEX issue_hash_by_issue ON issue_hash (issue_id)',
]

const PIPELINE = [
  `CREATE TABLE pipeline_state (name text NOT NULL PRIMARY KEY, position integer NOT NULL, inflight_from integer,
    inflight_to integer)`,
  // No reference to project: what could not be read may name a project that is gone. One row per item of the log.
  `CREATE TABLE dead_letter (id integer PRIMARY KEY AUTOINCREMENT, project_id integer, log_position integer NOT NULL,
    item_index integer NOT NULL, item_type text NOT NULL, reason text NOT NULL, detail text NOT NULL,
    blob text NOT NULL, created_ms integer NOT NULL, replayed_ms integer, UNIQUE (log_position, item_index))`,
]

const OPERATION = [
  `CREATE TABLE audit_entry (id integer PRIMARY KEY AUTOINCREMENT, org_id integer, actor text NOT NULL,
    action text NOT NULL, subject text NOT NULL, detail text NOT NULL, at_ms integer NOT NULL)`,
  'CREATE INDEX audit_entry_by_org ON audit_entry (org_id, at_ms DESC)',
  'CREATE TABLE setting (name text NOT NULL PRIMARY KEY, value text NOT NULL)',
]

const bumpSettings = 'UPDATE settings_epoch SET value = value + 1;'
const PROJECT_SETTINGS = [
  // `value` is JSON of `ProjectSettings`; the rate limit has columns because the door reads it with the keys.
  `CREATE TABLE project_setting (project_id integer PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
    value text NOT NULL DEFAULT '{}', rate_limit_count integer, rate_limit_window_sec integer,
    updated_ms integer NOT NULL)`,
  // A rotated key's last moment; null: as long as it is active.
  'ALTER TABLE project_key ADD COLUMN active_until_ms integer',
  // From which position of the log on which settings hold: docs/decisions/0004-settings-and-repeats.md
  'CREATE TABLE digest_settings (from_position integer PRIMARY KEY, value text NOT NULL)',
  'CREATE TABLE settings_epoch (id integer PRIMARY KEY CHECK (id = 1), value integer NOT NULL)',
  'INSERT INTO settings_epoch (id, value) VALUES (1, 1)',
  `CREATE TRIGGER settings_epoch_insert AFTER INSERT ON project_setting BEGIN ${bumpSettings} ${bump} END`,
  `CREATE TRIGGER settings_epoch_value AFTER UPDATE OF value ON project_setting BEGIN ${bumpSettings} END`,
  `CREATE TRIGGER key_epoch_limit AFTER UPDATE OF rate_limit_count, rate_limit_window_sec ON project_setting
    BEGIN ${bump} END`,
  `CREATE TRIGGER settings_epoch_delete AFTER DELETE ON project_setting BEGIN ${bumpSettings} ${bump} END`,
]

/** What is gone from the records and still lies in telemetry and blobs. No reference: the project is gone. */
const DELETIONS = [
  `CREATE TABLE deletion (id integer PRIMARY KEY AUTOINCREMENT, project_id integer NOT NULL, org_id integer NOT NULL,
    name text NOT NULL, after_position integer NOT NULL, blobs text NOT NULL, requested_ms integer NOT NULL,
    finished_ms integer)`,
]

/** better-auth's `twoFactor` plugin, again as its `getMigrations` prints it. */
const TWO_FACTOR = [
  'ALTER TABLE "user" ADD COLUMN "twoFactorEnabled" integer',
  `CREATE TABLE "twoFactor" ("id" text NOT NULL PRIMARY KEY, "secret" text NOT NULL, "backupCodes" text NOT NULL,
    "userId" text NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE, "verified" integer)`,
  'CREATE INDEX "twoFactor_secret_idx" ON "twoFactor" ("secret")',
  'CREATE INDEX "twoFactor_userId_idx" ON "twoFactor" ("userId")',
]

/**
 * `blob` names a file that is never written twice: what is in `blob_garbage` may be deleted at any moment.
 * docs/internals/attachments.md
 */
const ATTACHMENTS = [
  `CREATE TABLE attachment (id integer PRIMARY KEY AUTOINCREMENT,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, event_id text NOT NULL, name text NOT NULL,
    content_type text NOT NULL, attachment_type text NOT NULL, shown_as text NOT NULL, bytes integer NOT NULL,
    sha1 text NOT NULL, sha256 text NOT NULL, blob text NOT NULL, log_position integer NOT NULL,
    item_index integer NOT NULL, created_ms integer NOT NULL, UNIQUE (log_position, item_index))`,
  'CREATE INDEX attachment_by_event ON attachment (project_id, event_id)',
  'CREATE INDEX attachment_by_content ON attachment (project_id, sha256)',
  'CREATE INDEX attachment_by_blob ON attachment (blob)',
  'CREATE INDEX attachment_by_age ON attachment (created_ms)',
  'CREATE TABLE blob_garbage (name text NOT NULL PRIMARY KEY, since_ms integer NOT NULL) WITHOUT ROWID',
]

/** Who sent it and how large its record is, so that a list needs no blob; what somebody decided not to keep. */
const DEAD_LETTER_ORIGIN = [
  `ALTER TABLE dead_letter ADD COLUMN sdk text NOT NULL DEFAULT ''`,
  'ALTER TABLE dead_letter ADD COLUMN bytes integer NOT NULL DEFAULT 0',
  'ALTER TABLE dead_letter ADD COLUMN discarded_ms integer',
]

/** JSON, a list of entries; null: pages of every domain may send. The door reads it with the keys. */
const ALLOWED_DOMAINS = [
  'ALTER TABLE project_setting ADD COLUMN allowed_domains text',
  `CREATE TRIGGER key_epoch_domains AFTER UPDATE OF allowed_domains ON project_setting BEGIN ${bump} END`,
]

/** The list in the order of counts. Other states than one are three walks along it, merged. */
const ISSUES_BY_EVENTS = [
  'CREATE INDEX issue_by_events ON issue (project_id, status, event_count DESC, id DESC)',
]

/** The pipeline counts and the door reads, so both go through columns of their own. */
const SPAN_CAPS = [
  'ALTER TABLE project_setting ADD COLUMN span_cap_count integer',
  'ALTER TABLE project_setting ADD COLUMN span_cap_period text',
  'ALTER TABLE project_setting ADD COLUMN span_minute_cap integer',
  'ALTER TABLE project_setting ADD COLUMN spans_refused_until_ms integer',
  `CREATE TRIGGER key_epoch_span_caps AFTER UPDATE OF span_minute_cap, spans_refused_until_ms ON project_setting
    BEGIN ${bump} END`,
  `CREATE TABLE span_usage (project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    day_ms integer NOT NULL, spans integer NOT NULL, PRIMARY KEY (project_id, day_ms)) WITHOUT ROWID`,
]

/** What a minute made, and held back because it was too many; `held` of a batch in flight is repeated as it was. */
const NEWCOMERS = [
  `CREATE TABLE newcomer (project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, kind text NOT NULL,
    minute_ms integer NOT NULL, made integer NOT NULL, held integer NOT NULL,
    PRIMARY KEY (project_id, kind, minute_ms)) WITHOUT ROWID`,
  'ALTER TABLE pipeline_state ADD COLUMN held text',
]

/**
 * What the blobs of attachments take, equal bytes of a project once: a sum over a million rows for each batch would not
 * do. By triggers, because rows go in several ways: with their event, with age, with their project.
 */
const ATTACHMENT_USAGE = [
  `CREATE TABLE attachment_usage (project_id integer PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
    bytes integer NOT NULL)`,
  `INSERT INTO attachment_usage (project_id, bytes) SELECT project_id, sum(bytes) FROM
    (SELECT project_id, blob, max(bytes) AS bytes FROM attachment GROUP BY project_id, blob) GROUP BY project_id`,
  `CREATE TRIGGER attachment_usage_insert AFTER INSERT ON attachment
    WHEN NOT EXISTS (SELECT 1 FROM attachment WHERE blob = NEW.blob AND id <> NEW.id) BEGIN
    INSERT INTO attachment_usage (project_id, bytes) VALUES (NEW.project_id, NEW.bytes)
      ON CONFLICT (project_id) DO UPDATE SET bytes = attachment_usage.bytes + NEW.bytes; END`,
  `CREATE TRIGGER attachment_usage_delete AFTER DELETE ON attachment
    WHEN NOT EXISTS (SELECT 1 FROM attachment WHERE blob = OLD.blob) BEGIN
    UPDATE attachment_usage SET bytes = bytes - OLD.bytes WHERE project_id = OLD.project_id; END`,
]

const PROJECT_HOLDS = [
  `CREATE TABLE project_hold (project_id integer PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
    owner text NOT NULL, until_ms integer NOT NULL)`,
  'ALTER TABLE pipeline_state ADD COLUMN inflight_projects text',
]

export const MIGRATIONS: readonly RecordsMigration[] = [
  { name: '0001-auth', statements: AUTH },
  { name: '0002-organizations', statements: ORGANIZATIONS },
  { name: '0003-key-epoch', statements: KEY_EPOCH },
  { name: '0004-issues', statements: ISSUES },
  { name: '0005-pipeline', statements: PIPELINE },
  { name: '0006-operation', statements: OPERATION },
  { name: '0007-project-settings', statements: PROJECT_SETTINGS },
  { name: '0008-deletions', statements: DELETIONS },
  { name: '0009-two-factor', statements: TWO_FACTOR },
  { name: '0010-attachments', statements: ATTACHMENTS },
  { name: '0011-dead-letter-origin', statements: DEAD_LETTER_ORIGIN },
  { name: '0012-allowed-domains', statements: ALLOWED_DOMAINS },
  // PostgreSQL's needs an extension that may come later: `postgres/postgres-text-index.ts`.
  { name: '0013-issue-text', statements: ISSUE_TEXT, postgres: [] },
  { name: '0014-issues-by-events', statements: ISSUES_BY_EVENTS },
  { name: '0015-span-caps', statements: SPAN_CAPS },
  { name: '0016-artifacts', statements: ARTIFACTS },
  { name: '0017-releases', statements: RELEASES },
  { name: '0018-repairs', statements: REPROCESSING },
  { name: '0019-sign-in', statements: SIGN_IN },
  { name: '0020-people', statements: PEOPLE },
  { name: '0021-newcomers', statements: NEWCOMERS },
  { name: '0022-sessions-and-audit', statements: SESSIONS_AND_AUDIT },
  { name: '0023-attachment-usage', statements: ATTACHMENT_USAGE, postgres: ATTACHMENT_USAGE_POSTGRES },
  { name: '0024-log-partition', statements: LOG_PARTITION, postgres: LOG_PARTITION_POSTGRES },
  { name: '0025-job-leases', statements: JOB_LEASES },
  { name: '0026-nodes', statements: NODES },
  {
    name: '0027-project-holds',
    statements: PROJECT_HOLDS,
    // In SQLite it is a function of the connection.
    postgres: [...PROJECT_HOLDS.flatMap(toPostgres), NOW_MS_POSTGRES],
  },
  { name: '0028-alerts', statements: ALERTS },
  { name: '0029-notification-settings', statements: NOTIFICATION_SETTINGS },
  { name: '0030-trackers', statements: TRACKERS },
  { name: '0031-channel-messages', statements: CHANNEL_MESSAGES },
  { name: '0032-push', statements: PUSH },
  { name: '0033-spike-baseline', statements: SPIKES },
  { name: '0034-default-rules', statements: DEFAULT_RULES },
  // Asked every second: which rules have a window that nobody looked at.
  {
    name: '0037-alert-rules-by-time',
    statements: ['CREATE INDEX alert_rule_state_by_time ON alert_rule_state (evaluated_ms)'],
  },
  { name: '0038-issue-commits', statements: ISSUE_COMMITS },
  { name: '0036-alert-rule-owner', statements: ALERT_RULE_OWNER },
  { name: '0035-digest-hour', statements: DIGEST_HOUR },
  { name: '0039-teams', statements: TEAMS },
  { name: '0040-triage', statements: TRIAGE },
  { name: '0051-invitations', statements: INVITATIONS },
  { name: '0052-accounts', statements: ACCOUNTS },
  { name: '0045-comments', statements: COMMENTS },
  { name: '0057-ownership', statements: OWNERSHIP },
  { name: '0059-audit-log', statements: AUDIT_LOG },
  { name: '0047-issue-moves', statements: MOVES },
  { name: '0054-single-sign-on', statements: SSO },
  { name: '0041-project-access', statements: PROJECT_ACCESS },
  { name: '0043-review', statements: REVIEW },
  { name: '0048-issue-shares', statements: SHARES },
  { name: '0053-endings', statements: ENDINGS },
  { name: '0058-ownership-runs', statements: OWNERSHIP_RUNS },
  { name: '0042-scim', statements: SCIM },
  { name: '0049-pinned-searches', statements: PINNED_SEARCHES },
  { name: '0050-one-time-zone', statements: ONE_ZONE },
  { name: '0065-uptime', statements: UPTIME },
  { name: '0066-feedback', statements: FEEDBACK },
  { name: '0067-replays', statements: REPLAYS_TABLES },
  { name: '0075-replay-deletions', statements: REPLAY_DELETIONS },
  { name: '0070-crons', statements: CRONS },
  { name: '0078-status-pages', statements: STATUS_PAGES },
  { name: '0082-replay-videos', statements: REPLAY_VIDEOS },
  { name: '0082-replay-views', statements: REPLAY_VIEWS },
  { name: '0095-thinned-issues', statements: THINNING },
  { name: '0091-release-judgements', statements: RELEASE_JUDGEMENTS },
  { name: '0093-built-names', statements: BUILT_NAMES },
  // Read once a minute: what is deployed in each environment.
  { name: '0092-deploys-by-time', statements: ['CREATE INDEX deploy_by_time ON deploy (finished_ms)'] },
  { name: '0096-backup-runs', statements: BACKUP_RUNS },
  { name: '0100-retention', statements: STORAGE },
  { name: '0104-erasures', statements: ERASURES },
  {
    name: '0113-inflight-tries',
    statements: ['ALTER TABLE pipeline_state ADD COLUMN inflight_tries integer NOT NULL DEFAULT 0'],
  },
  { name: '0090-recently-deleted', statements: RECENTLY_DELETED },
  { name: '0097-event-deletions', statements: EVENT_DELETIONS },
  { name: '0114-language-models', statements: LANGUAGE_MODELS },
  { name: '0116-idempotent-requests', statements: IDEMPOTENT_REQUESTS },
  { name: '0120-exports', statements: EXPORTS },
  { name: '0118-oauth', statements: OAUTH },
  // Written with the key: its trigger tells the door.
  {
    name: '0121-imported-keys',
    statements: ['ALTER TABLE project_key ADD COLUMN foreign_project text'],
  },
]

/** The last step: what a database has that this version opened. */
export const SCHEMA = MIGRATIONS.at(-1)?.name ?? ''

/** Steps that a database has taken and this version does not know: a later one has used it. */
export const unknownSteps = (applied: readonly string[]): readonly string[] => {
  const known = new Set(MIGRATIONS.map(({ name }) => name))
  return applied.filter((name) => !known.has(name))
}
