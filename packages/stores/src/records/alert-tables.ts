/**
 * Alerts: what changed about issues, rules, incidents, and notifications with where they go. Times are Unix milliseconds,
 * JSON is text. docs/internals/alerts.md
 */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>

export type AlertTables = {
  issue_change: IssueChangeTable
  issue_seen: IssueSeenTable
  alert_rule: AlertRuleTable
  alert_rule_state: AlertRuleStateTable
  release_judgement: ReleaseJudgementTable
  notification_channel: NotificationChannelTable
  incident: IncidentTable
  incident_note: IncidentNoteTable
  notification: NotificationTable
  notification_setting: NotificationSettingTable
  notification_action: NotificationActionTable
  notification_action_project: { action_id: Fixed<number>; project_id: Fixed<number> }
}

/** What alerts and trackers look at. */
export const ALERTED_CHANGES = [
  'new',
  'regressed',
  'reopened',
  'resolved',
  'ignored',
  'first_seen_in_release',
  'first_seen_in_environment',
] as const
/** What stands in the activity of an issue alone. */
const TOLD_CHANGES = [
  'assigned',
  'unassigned',
  'priority_changed',
  'escalating',
  'comment',
  'merged',
  'unmerged',
  'reprocessed',
  'shared',
  'unshared',
  'linked',
  'unlinked',
  'notified',
] as const
export type AlertedChange = (typeof ALERTED_CHANGES)[number]
export type IssueChangeKind = AlertedChange | (typeof TOLD_CHANGES)[number]
/** Of these the activity of an issue says nothing: its tags do. They go with their age, all others with the issue. */
const FIRST_SEEN_CHANGES = ['first_seen_in_release', 'first_seen_in_environment'] as const
export type ActivityKind = Exclude<IssueChangeKind, (typeof FIRST_SEEN_CHANGES)[number]>
export const ACTIVITY_KINDS = [...ALERTED_CHANGES, ...TOLD_CHANGES].filter(
  (kind): kind is ActivityKind => !(FIRST_SEEN_CHANGES as readonly string[]).includes(kind),
)

/** The activity of an issue. Written in the transaction that makes the change, so that each is there once. */
export type IssueChangeTable = {
  id: Generated<number>
  project_id: Fixed<number>
  /** Another one, when the issue became part of it. */
  issue_id: number
  kind: Fixed<IssueChangeKind>
  /** The event that made it; empty: a person did, or a rule. */
  event_id: Fixed<string>
  /** `actorOf` who did; empty: an event. */
  actor: Fixed<string>
  at_ms: Fixed<number>
  /** JSON: what else there is to say of it, by its kind. */
  detail: ColumnType<string, string | undefined, string>
  /** 1: alerts have not looked at it yet. */
  is_pending: number
  /** 1: the people whom it concerns were not told of it yet. 2: they will be, once what belongs to it is done as well. */
  is_untold: ColumnType<number, number | undefined, number>
}

export type IssueSeenKind = 'release' | 'environment'

/** In which releases and environments an issue was seen: written once for each, with the first event of it. */
export type IssueSeenTable = {
  issue_id: Fixed<number>
  kind: Fixed<IssueSeenKind>
  name: Fixed<string>
}

export const ALERT_RULE_KINDS = ['issue', 'metric', 'release'] as const
export type AlertRuleKind = (typeof ALERT_RULE_KINDS)[number]

export type AlertRuleTable = {
  id: Generated<number>
  project_id: Fixed<number>
  kind: Fixed<AlertRuleKind>
  name: string
  /** JSON: `packages/alerts/src/rules/rule.ts` reads it. */
  value: string
  is_enabled: Generated<number>
  muted_until_ms: Optional<number>
  /** JSON: what a program said of it through Sentry's API that the rule itself does not; empty: nothing. */
  api_form: Generated<string>
  /** `default`: made with its project. Empty: by `created_by`. */
  origin: Fixed<'' | 'default'>
  created_by: Fixed<string>
  created_ms: Fixed<number>
  updated_ms: number
}

export type AlertRuleStateTable = {
  rule_id: Fixed<number>
  /** Up to here the rule was evaluated; of a rule about releases: only those that began after it count. */
  evaluated_ms: number
  /** Why it could not be, for people; empty: it could. */
  trouble: Generated<string>
}

/** What a rule about releases found of one: it is told once. */
export type ReleaseJudgementTable = {
  rule_id: Fixed<number>
  release_id: Fixed<number>
  /** So often it was looked at. */
  looks: number
  /** `ReleaseVerdict`; empty: it is not judged yet. */
  verdict: string
  judged_ms: Optional<number>
}

export const CHANNEL_KINDS = [
  'slack',
  'slack_app',
  'discord',
  'teams',
  'mattermost',
  'telegram',
  'pagerduty',
  'opsgenie',
  'ntfy',
  'webhook',
  'sentry_webhook',
] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/** Where notifications go besides to people. */
export type NotificationChannelTable = {
  id: Generated<number>
  org_id: Fixed<number>
  kind: Fixed<ChannelKind>
  name: string
  /** JSON, without secrets. */
  settings: string
  /** JSON, sealed with the installation's key. */
  secret: string
  created_by: Fixed<string>
  created_ms: Fixed<number>
  updated_ms: number
  /** Since when nothing could be delivered; null: the last one was. */
  failing_since_ms: Optional<number>
}

/** One of a rule, and of one issue where the rule is about issues, from its first notification until it is resolved. */
export type IncidentTable = {
  id: Generated<number>
  project_id: Fixed<number>
  /** Null: the rule was deleted. */
  rule_id: ColumnType<number | null, number, never>
  rule_name: Fixed<string>
  issue_id: Fixed<number | null>
  /** `issue:RULE:ISSUE:CHANGE`, `metric:RULE:WINDOW` or `release:RULE:RELEASE`. */
  dedup_key: Fixed<string>
  /** JSON: what fired, with value, threshold and window. */
  cause: Fixed<string>
  started_ms: Fixed<number>
  fired_ms: number
  acknowledged_ms: Optional<number>
  acknowledged_by: ColumnType<string, string | undefined, string>
  resolved_ms: Optional<number>
  /** `actorOf` who resolved it; `rule`: what it was about ended. */
  resolved_by: ColumnType<string, string | undefined, string>
}

export type IncidentNoteTable = {
  id: Generated<number>
  incident_id: Fixed<number>
  actor: Fixed<string>
  body: Fixed<string>
  at_ms: Fixed<number>
}

const NOTIFICATION_STATES = ['waiting', 'sending', 'sent', 'failed', 'digested'] as const
export type NotificationState = (typeof NOTIFICATION_STATES)[number]
const NOTIFICATION_MEDIA = ['channel', 'email', 'inbox', 'push'] as const
export type NotificationMedium = (typeof NOTIFICATION_MEDIA)[number]

/** One message to one place: the outbox. At least once; `dedup_key` goes along, so that a receiver can tell a repeat. */
export type NotificationTable = {
  id: Generated<number>
  dedup_key: Fixed<string>
  org_id: Fixed<number>
  project_id: Fixed<number | null>
  incident_id: Fixed<number | null>
  medium: Fixed<NotificationMedium>
  /** Of `channel`. */
  channel_id: Fixed<number | null>
  /** Of the others. */
  user_id: Fixed<string | null>
  /** JSON: `packages/alerts/src/messages/message.ts`. */
  message: Fixed<string>
  state: NotificationState
  attempts: Generated<number>
  /** Not before. */
  next_attempt_ms: number
  created_ms: Fixed<number>
  done_ms: Optional<number>
  /** What the other side said the last time, for people. */
  answer: Generated<string>
  /** The digest that it went with. */
  digest_id: Optional<number>
  /** Of `inbox`. */
  read_ms: Optional<number>
}

/** Of what a person is told. `new`: of new issues alone. */
export const NOTIFICATION_CHOICES = ['all', 'new', 'none'] as const
export type NotificationChoice = (typeof NOTIFICATION_CHOICES)[number]
/** When mail goes out: at once, or collected. */
export const MAIL_PACES = ['once', 'hour', 'day'] as const
export type MailPace = (typeof MAIL_PACES)[number]

/** What a person wants. Who has no row is told of everything at once. */
export type NotificationSettingTable = {
  id: Generated<number>
  user_id: Fixed<string>
  medium: Fixed<Exclude<NotificationMedium, 'channel'>>
  /** Null: of every project that has no row of its own. */
  project_id: Fixed<number | null>
  choice: NotificationChoice
  /** Of the row without a project alone. */
  pace: Generated<MailPace>
  /** Of the same row: when a day's mail goes out, by the clock of the person's zone. */
  digest_hour: Generated<number>
}

export const NOTIFICATION_TRIGGERS = ['spike-protection'] as const
export type NotificationTrigger = (typeof NOTIFICATION_TRIGGERS)[number]

/** Whom an organization wants to be told of something that no rule is about. Without projects: of all of them. */
export type NotificationActionTable = {
  id: Generated<number>
  org_id: Fixed<number>
  trigger_type: NotificationTrigger
  /** Neither this nor a person: all members. */
  channel_id: Optional<number>
  user_id: Optional<string>
  /** JSON: as the program that made it sent it. */
  api_form: string
  created_by: Fixed<string>
  created_ms: Fixed<number>
}

export const ALERTS: readonly string[] = [
  `CREATE TABLE issue_change (id integer PRIMARY KEY AUTOINCREMENT,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    issue_id integer NOT NULL REFERENCES issue (id) ON DELETE CASCADE, kind text NOT NULL, event_id text NOT NULL,
    actor text NOT NULL, at_ms integer NOT NULL, is_pending integer NOT NULL)`,
  'CREATE INDEX issue_change_pending ON issue_change (id) WHERE is_pending = 1',
  'CREATE INDEX issue_change_by_issue ON issue_change (issue_id, id)',
  'CREATE INDEX issue_change_by_project ON issue_change (project_id, id)',
  `CREATE TABLE alert_rule (id integer PRIMARY KEY AUTOINCREMENT,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, kind text NOT NULL, name text NOT NULL,
    value text NOT NULL, is_enabled integer NOT NULL DEFAULT 1, muted_until_ms integer, origin text NOT NULL,
    created_by text NOT NULL, created_ms integer NOT NULL, updated_ms integer NOT NULL)`,
  'CREATE INDEX alert_rule_by_project ON alert_rule (project_id, kind)',
  `CREATE TABLE alert_rule_state (rule_id integer PRIMARY KEY REFERENCES alert_rule (id) ON DELETE CASCADE,
    evaluated_ms integer NOT NULL, trouble text NOT NULL DEFAULT '')`,
  `CREATE TABLE notification_channel (id integer PRIMARY KEY AUTOINCREMENT,
    org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE, kind text NOT NULL, name text NOT NULL,
    settings text NOT NULL, secret text NOT NULL, created_by text NOT NULL, created_ms integer NOT NULL,
    updated_ms integer NOT NULL, failing_since_ms integer)`,
  'CREATE INDEX notification_channel_by_org ON notification_channel (org_id, id)',
  `CREATE TABLE incident (id integer PRIMARY KEY AUTOINCREMENT,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    rule_id integer REFERENCES alert_rule (id) ON DELETE SET NULL, rule_name text NOT NULL,
    issue_id integer REFERENCES issue (id) ON DELETE CASCADE, dedup_key text NOT NULL UNIQUE, cause text NOT NULL,
    started_ms integer NOT NULL, fired_ms integer NOT NULL, acknowledged_ms integer,
    acknowledged_by text NOT NULL DEFAULT '', resolved_ms integer, resolved_by text NOT NULL DEFAULT '')`,
  'CREATE INDEX incident_by_project ON incident (project_id, id)',
  'CREATE INDEX incident_open ON incident (rule_id, issue_id) WHERE resolved_ms IS NULL',
  'CREATE INDEX incident_by_issue ON incident (issue_id, id)',
  `CREATE TABLE incident_note (id integer PRIMARY KEY AUTOINCREMENT,
    incident_id integer NOT NULL REFERENCES incident (id) ON DELETE CASCADE, actor text NOT NULL, body text NOT NULL,
    at_ms integer NOT NULL)`,
  'CREATE INDEX incident_note_by_incident ON incident_note (incident_id, id)',
  `CREATE TABLE notification (id integer PRIMARY KEY AUTOINCREMENT, dedup_key text NOT NULL UNIQUE,
    org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    project_id integer REFERENCES project (id) ON DELETE CASCADE,
    incident_id integer REFERENCES incident (id) ON DELETE CASCADE, medium text NOT NULL,
    channel_id integer REFERENCES notification_channel (id) ON DELETE CASCADE,
    user_id text REFERENCES "user" (id) ON DELETE CASCADE, message text NOT NULL, state text NOT NULL,
    attempts integer NOT NULL DEFAULT 0, next_attempt_ms integer NOT NULL, created_ms integer NOT NULL,
    done_ms integer, answer text NOT NULL DEFAULT '',
    digest_id integer REFERENCES notification (id) ON DELETE SET NULL, read_ms integer)`,
  `CREATE INDEX notification_open ON notification (next_attempt_ms) WHERE state IN ('waiting', 'sending')`,
  'CREATE INDEX notification_by_channel ON notification (channel_id, id)',
  'CREATE INDEX notification_by_person ON notification (user_id, medium, id)',
  'CREATE INDEX notification_by_incident ON notification (incident_id, id)',
  'CREATE INDEX notification_by_age ON notification (created_ms)',
  'CREATE INDEX notification_by_digest ON notification (digest_id)',
]

export const NOTIFICATION_SETTINGS: readonly string[] = [
  `CREATE TABLE notification_setting (id integer PRIMARY KEY AUTOINCREMENT,
    user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE, medium text NOT NULL,
    project_id integer REFERENCES project (id) ON DELETE CASCADE, choice text NOT NULL,
    pace text NOT NULL DEFAULT 'once')`,
  'CREATE UNIQUE INDEX notification_setting_of_project ON notification_setting (user_id, medium, project_id)',
  // Nulls are different from each other there.
  'CREATE UNIQUE INDEX notification_setting_of_person ON notification_setting (user_id, medium) WHERE project_id IS NULL',
  'CREATE INDEX notification_setting_by_project ON notification_setting (project_id)',
]

export const DIGEST_HOUR: readonly string[] = [
  'ALTER TABLE notification_setting ADD COLUMN digest_hour integer NOT NULL DEFAULT 7',
  // Nothing reads it since 0050: a person has one zone, that of the profile.
  `ALTER TABLE notification_setting ADD COLUMN digest_zone text NOT NULL DEFAULT 'UTC'`,
]

export const RELEASE_JUDGEMENTS: readonly string[] = [
  `CREATE TABLE release_judgement (rule_id integer NOT NULL REFERENCES alert_rule (id) ON DELETE CASCADE,
    release_id integer NOT NULL REFERENCES release (id) ON DELETE CASCADE, looks integer NOT NULL, verdict text NOT NULL,
    judged_ms integer, PRIMARY KEY (rule_id, release_id)) WITHOUT ROWID`,
  'CREATE INDEX release_judgement_by_release ON release_judgement (release_id)',
  // Asked every half minute.
  `CREATE INDEX alert_rule_of_releases ON alert_rule (id) WHERE kind = 'release'`,
]

/** An older issue was seen in its first and last release; in which others, and in which environments, its next events tell. */
export const ALERT_RULE_OWNER: readonly string[] = [
  `CREATE TABLE issue_seen (issue_id integer NOT NULL REFERENCES issue (id) ON DELETE CASCADE, kind text NOT NULL,
    name text NOT NULL, PRIMARY KEY (issue_id, kind, name)) WITHOUT ROWID`,
  `INSERT INTO issue_seen (issue_id, kind, name) SELECT id, 'release', first_release FROM issue WHERE first_release <> ''`,
  `INSERT INTO issue_seen (issue_id, kind, name) SELECT id, 'release', last_release FROM issue
    WHERE last_release <> '' AND last_release <> first_release`,
  `ALTER TABLE alert_rule ADD COLUMN api_form text NOT NULL DEFAULT ''`,
  `CREATE TABLE notification_action (id integer PRIMARY KEY AUTOINCREMENT,
    org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE, trigger_type text NOT NULL,
    channel_id integer REFERENCES notification_channel (id) ON DELETE CASCADE,
    user_id text REFERENCES "user" (id) ON DELETE CASCADE, api_form text NOT NULL, created_by text NOT NULL,
    created_ms integer NOT NULL)`,
  'CREATE INDEX notification_action_by_org ON notification_action (org_id, id)',
  'CREATE INDEX notification_action_by_channel ON notification_action (channel_id)',
  'CREATE INDEX notification_action_by_person ON notification_action (user_id)',
  `CREATE TABLE notification_action_project (
    action_id integer NOT NULL REFERENCES notification_action (id) ON DELETE CASCADE,
    project_id integer NOT NULL REFERENCES project (id) ON DELETE CASCADE, PRIMARY KEY (action_id, project_id))
    WITHOUT ROWID`,
  'CREATE INDEX notification_action_by_project ON notification_action_project (project_id)',
]

/** As new projects begin: frozen here, whatever the rule is by now (`DEFAULT_RULE` in packages/alerts). */
const FIRST_DEFAULT_RULE = {
  triggers: [{ type: 'new' }, { type: 'regressed' }],
  search: '',
  actions: [{ type: 'members' }],
  coolDownMinutes: 30,
}

/**
 * Projects from before there were alerts have no rule, and nobody is told anything. Once, and only those: a later project
 * without one is a decision. It tells of what changes from now on, because nothing of before is in `issue_change`.
 */
export const DEFAULT_RULES: readonly string[] = [
  `INSERT INTO alert_rule (project_id, kind, name, value, is_enabled, origin, created_by, created_ms, updated_ms)
    SELECT id, 'issue', 'New and returning issues', '${JSON.stringify(FIRST_DEFAULT_RULE)}', 1, 'default', '', created_ms,
      created_ms
    FROM project
    WHERE created_ms < (SELECT applied_ms FROM schema_migration WHERE name = '0028-alerts')
      AND NOT EXISTS (SELECT 1 FROM alert_rule WHERE alert_rule.project_id = project.id)`,
]

/** Mail had a zone of its own. Who chose one and has none in the profile keeps it: there. */
export const ONE_ZONE: readonly string[] = [
  `UPDATE "user" SET "timeZone" = (SELECT digest_zone FROM notification_setting
      WHERE user_id = "user".id AND medium = 'email' AND project_id IS NULL)
    WHERE "timeZone" = '' AND EXISTS (SELECT 1 FROM notification_setting
      WHERE user_id = "user".id AND medium = 'email' AND project_id IS NULL AND digest_zone NOT IN ('', 'UTC'))`,
]
