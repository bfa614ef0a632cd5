/**
 * Where the records hold texts that applications sent, or that were made of them: a literal list of every table with texts. A
 * test reads the tables out of the engine and fails for one that is not here.
 */

/** How a row of the table is of projects. */
const OF = {
  project: 'project_id IN (@projects)',
  issue: 'issue_id IN (SELECT id FROM issue WHERE project_id IN (@projects))',
  incident: 'incident_id IN (SELECT id FROM incident WHERE project_id IN (@projects))',
  change: 'change_id IN (SELECT id FROM issue_change WHERE project_id IN (@projects))',
  org: 'org_id IN (SELECT org_id FROM project WHERE id IN (@projects))',
} as const

export type RecordTexts = {
  readonly table: string
  /** The texts that are cleared, and the row's key. */
  readonly columns: readonly string[]
  readonly key: string
  /** SQL with `@projects` for the ids. */
  readonly where: string
  /** What people call it. */
  readonly what: string
}

export const RECORD_TEXTS: readonly RecordTexts[] = [
  {
    table: 'issue',
    key: 'id',
    columns: ['title', 'culprit', 'metadata', 'logger'],
    where: OF.project,
    what: 'issues',
  },
  { table: 'issue_change', key: 'id', columns: ['detail'], where: OF.project, what: 'activity' },
  { table: 'issue_comment', key: 'change_id', columns: ['body'], where: OF.change, what: 'comments' },
  { table: 'issue_merge', key: 'issue_id', columns: ['gave'], where: OF.issue, what: 'merged issues' },
  {
    table: 'issue_merge_base',
    key: 'issue_id',
    columns: ['figures', 'decision', 'decided'],
    where: OF.issue,
    what: 'merged issues',
  },
  { table: 'discarded_hash', key: 'hash', columns: ['title'], where: OF.project, what: 'discarded issues' },
  {
    table: 'tracker_link',
    key: 'id',
    columns: ['title', 'wanted', 'answer'],
    where: OF.issue,
    what: 'tracker links',
  },
  {
    table: 'notification',
    key: 'id',
    columns: ['message', 'answer'],
    where: OF.project,
    what: 'notifications',
  },
  { table: 'incident', key: 'id', columns: ['cause'], where: OF.project, what: 'incidents' },
  { table: 'incident_note', key: 'id', columns: ['body'], where: OF.incident, what: 'incidents' },
  { table: 'saved_search', key: 'id', columns: ['query'], where: OF.org, what: 'saved searches' },
  { table: 'dead_letter', key: 'id', columns: ['detail'], where: OF.project, what: 'dead letters' },
  {
    table: 'audit_entry',
    key: 'id',
    columns: ['detail'],
    where: `${OF.org} AND action LIKE 'issue.%'`,
    what: 'audit entries of issues',
  },
]

const ACCOUNTS = 'of members: deleted with the account'
const SETTINGS = 'typed by members, or made by Sonde: names, rules and settings'
const UPLOADS = 'of uploads and commits'
const MONITORS = 'of monitors'
const WORK = 'states of background work, and counts'
const WITH_EVENTS = 'goes with its events or replays, by their ids'

/** Tables with texts in which no person of an application is named. */
export const RECORDS_WITHOUT_PERSONS: Readonly<Record<string, string>> = {
  account: ACCOUNTS,
  account_link: ACCOUNTS,
  account_mail: ACCOUNTS,
  activity_setting: ACCOUNTS,
  api_token: ACCOUNTS,
  comment_mention: ACCOUNTS,
  comment_reaction: ACCOUNTS,
  default_search: ACCOUNTS,
  invitation: ACCOUNTS,
  issue_bookmark: ACCOUNTS,
  issue_subscription: ACCOUNTS,
  issue_view: ACCOUNTS,
  member: ACCOUNTS,
  notification_setting: ACCOUNTS,
  passkey: ACCOUNTS,
  passkey_challenge: ACCOUNTS,
  pinned_search: ACCOUNTS,
  push_subscription: ACCOUNTS,
  scim_connection: ACCOUNTS,
  scim_group: ACCOUNTS,
  scim_group_member: ACCOUNTS,
  scim_user: ACCOUNTS,
  session: ACCOUNTS,
  sign_in_network: ACCOUNTS,
  sso_connection: ACCOUNTS,
  sso_domain: ACCOUNTS,
  sso_group: ACCOUNTS,
  sso_identity: ACCOUNTS,
  sso_session: ACCOUNTS,
  sso_ticket: ACCOUNTS,
  sso_used: ACCOUNTS,
  status_subscriber: 'readers of a status page: each mail has a link that ends it',
  team_member: ACCOUNTS,
  twoFactor: ACCOUNTS,
  used_code: ACCOUNTS,
  user: ACCOUNTS,
  verification: ACCOUNTS,
  replay_view: ACCOUNTS,
  alert_rule: SETTINGS,
  alert_rule_state: SETTINGS,
  channel_message: SETTINGS,
  codeowners_file: SETTINGS,
  codeowners_owner: SETTINGS,
  digest_settings: SETTINGS,
  language_model: SETTINGS,
  notification_action: SETTINGS,
  notification_channel: SETTINGS,
  organization: SETTINGS,
  project: SETTINGS,
  project_key: SETTINGS,
  project_ownership: SETTINGS,
  project_setting: SETTINGS,
  setting: SETTINGS,
  status_component: SETTINGS,
  status_incident: SETTINGS,
  status_page: SETTINGS,
  status_update: SETTINGS,
  team: SETTINGS,
  team_project: SETTINGS,
  tracker_connection: SETTINGS,
  issue_owner: SETTINGS,
  issue_share: SETTINGS,
  issue_seen: SETTINGS,
  issue_hash: WORK,
  artifact_assembly: UPLOADS,
  artifact_bundle: UPLOADS,
  artifact_chunk: UPLOADS,
  artifact_file: UPLOADS,
  deploy: UPLOADS,
  issue_commit: UPLOADS,
  release: UPLOADS,
  release_judgement: UPLOADS,
  release_ref: UPLOADS,
  repository: UPLOADS,
  source_commit: UPLOADS,
  source_commit_file: UPLOADS,
  cron_arrival: MONITORS,
  cron_environment: MONITORS,
  cron_monitor: MONITORS,
  cron_run: MONITORS,
  uptime_monitor: MONITORS,
  uptime_result: MONITORS,
  uptime_state: MONITORS,
  blob_garbage: WORK,
  deletion: WORK,
  issue_deletion: WORK,
  event_deletion: WORK,
  issue_move: WORK,
  idempotent_request: 'answers of the API to whoever asked for them, sealed, for a day',
  recently_deleted: WORK,
  hidden_hash: WORK,
  backup_run: WORK,
  disk_day: WORK,
  job_lease: WORK,
  retention_rule: WORK,
  storage_day: WORK,
  storage_state: WORK,
  newcomer: WORK,
  node: WORK,
  ownership_run: WORK,
  pipeline_state: WORK,
  project_hold: WORK,
  repair: WORK,
  schema_migration: WORK,
  spike: WORK,
  spike_baseline: WORK,
  spike_minute: WORK,
  try_window: WORK,
  erasure: 'what is asked for, until it is done: then only a hash',
  held_event: 'stored within half a minute: an erasure waits for it',
  attachment: WITH_EVENTS,
  replay_segment: WITH_EVENTS,
  replay_deletion: WITH_EVENTS,
}
