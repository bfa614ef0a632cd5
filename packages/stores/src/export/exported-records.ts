/**
 * What an export of an organization takes of the records: a literal list of every table, so that a new one does not compile, or fails
 * a test, until somebody said whether it goes along. docs/reference/export-format.md
 */

/** How a row of the table is of the organization: SQL with `@org`, and `@projects` for its ids. */
const OF = {
  org: 'org_id IN (@org)',
  project: 'project_id IN (@projects)',
  issue: 'issue_id IN (SELECT id FROM issue WHERE project_id IN (@projects))',
  change: `change_id IN (SELECT id FROM issue_change WHERE project_id IN (@projects)
    AND issue_id NOT IN (SELECT issue_id FROM hidden_issue))`,
  incident: 'incident_id IN (SELECT id FROM incident WHERE project_id IN (@projects))',
  release: 'release_id IN (SELECT id FROM release WHERE org_id IN (@org))',
  commit: 'commit_id IN (SELECT id FROM source_commit WHERE org_id IN (@org))',
  team: 'team_id IN (SELECT id FROM team WHERE org_id IN (@org))',
  cron: 'monitor_id IN (SELECT id FROM cron_monitor WHERE project_id IN (@projects))',
  uptime: 'monitor_id IN (SELECT id FROM uptime_monitor WHERE project_id IN (@projects))',
  connection: 'connection_id IN (SELECT id FROM sso_connection WHERE org_id IN (@org))',
  page: 'page_id IN (SELECT id FROM status_page WHERE org_id IN (@org))',
  statusIncident: `incident_id IN (SELECT id FROM status_incident WHERE page_id IN
    (SELECT id FROM status_page WHERE org_id IN (@org)))`,
} as const

export type ExportedRecords =
  | {
      readonly where: string
      /** Columns that are left out: what signs somebody in, or is sealed with the key of the installation. */
      readonly without?: readonly string[]
      /** Columns that name a blob: its bytes go along as a file. */
      readonly blobs?: readonly string[]
    }
  /** Does not go along, and why. */
  | { readonly none: string }

const of = (where: string): ExportedRecords => ({ where })
const without = (where: string, ...columns: readonly string[]): ExportedRecords => ({
  where,
  without: columns,
})
const withBlobs = (where: string, ...columns: readonly string[]): ExportedRecords => ({
  where,
  blobs: columns,
})
const none = (why: string): ExportedRecords => ({ none: why })

const ACCOUNTS = none('of accounts, which belong to their people and not to an organization')
const SIGN_IN = none('signs somebody in')
const WORK = none('states of background work')
const INSTALLATION = none('of the installation')
const MEASURED = none('measured from what is stored')
const DELETED = none('what was deleted')

export const EXPORTED_RECORDS: Readonly<Record<string, ExportedRecords>> = {
  organization: of('id IN (@org)'),
  user: without(
    'id IN (SELECT user_id FROM member WHERE org_id IN (@org))',
    'emailVerified',
    'twoFactorEnabled',
    'isOperator',
    'disabledMs',
    'lastSeenMs',
    'image',
    'updatedAt',
  ),
  member: of(OF.org),
  invitation: without(OF.org, 'token_hash'),
  invitation_team: of('invitation_id IN (SELECT id FROM invitation WHERE org_id IN (@org))'),
  team: of(OF.org),
  team_member: of(OF.team),
  team_project: of(OF.project),
  api_token: without(OF.org, 'token_hash'),
  audit_entry: of(OF.org),

  project: of(OF.org),
  project_key: of(OF.project),
  project_setting: of(OF.project),
  project_ownership: of(OF.project),
  codeowners_file: of(OF.project),
  codeowners_owner: of(OF.project),
  retention_rule: of(OF.project),
  span_usage: of(OF.project),

  issue: of(OF.project),
  issue_bookmark: of(OF.issue),
  issue_change: of(OF.project),
  issue_comment: of(OF.change),
  comment_mention: of(OF.change),
  comment_reaction: of(OF.change),
  issue_commit: of(OF.issue),
  issue_day: of(OF.issue),
  issue_hash: of(OF.project),
  issue_merge: of(OF.project),
  issue_merge_base: of(OF.issue),
  issue_owner: of(OF.issue),
  issue_redirect: of(OF.project),
  issue_seen: of(OF.issue),
  issue_share: without(OF.issue, 'token_hash'),
  issue_snooze: of(OF.issue),
  issue_subscription: of(OF.issue),
  issue_view: of(OF.issue),
  discarded_hash: of(OF.project),
  saved_search: of(OF.org),
  default_search: of(OF.org),
  pinned_search: of(OF.org),

  alert_rule: of(OF.project),
  incident: of(OF.project),
  incident_note: of(OF.incident),
  notification: of(OF.org),
  notification_action: of(OF.org),
  notification_action_project: of(OF.project),
  language_model: without(OF.org, 'secret'),
  notification_channel: without(OF.org, 'secret'),
  spike: of(OF.project),
  spike_baseline: of(OF.project),

  release: of(OF.org),
  release_project: of(OF.project),
  release_commit: of(OF.release),
  release_judgement: of(OF.release),
  release_ref: of(OF.release),
  deploy: of(OF.release),
  deploy_project: of(OF.project),
  repository: of(OF.org),
  source_commit: of(OF.org),
  source_commit_file: of(OF.commit),

  cron_monitor: of(OF.project),
  cron_environment: of(OF.cron),
  cron_hour: of(OF.cron),
  cron_run: of(`environment_id IN (SELECT id FROM cron_environment WHERE ${OF.cron})`),
  uptime_monitor: without(OF.project, 'secret'),
  uptime_hour: of(OF.uptime),
  uptime_state: of(OF.uptime),
  status_page: of(OF.org),
  status_component: of(OF.page),
  status_incident: of(OF.page),
  status_update: of(OF.statusIncident),
  status_affected: of(OF.statusIncident),
  status_subscriber: without(OF.page, 'confirm_hash'),

  tracker_connection: without(OF.org, 'secret'),
  tracker_link: of(OF.issue),
  sso_connection: without(OF.org, 'secret'),
  sso_domain: without(OF.org, 'token'),
  sso_group: of(OF.connection),
  sso_identity: of(OF.connection),
  scim_connection: without(OF.org, 'token_hash'),
  scim_user: of(OF.org),
  scim_group: of(OF.team),
  scim_group_member: of(OF.team),

  attachment: withBlobs(OF.project, 'blob'),
  replay_segment: withBlobs(OF.project, 'blob', 'video_blob'),
  replay_view: of(OF.project),
  artifact_bundle: of(OF.org),
  artifact_bundle_project: of(OF.project),
  artifact_file: withBlobs(OF.org, 'blob'),
  dead_letter: withBlobs(OF.project, 'blob'),
  export_plan: of(OF.org),

  account: SIGN_IN,
  account_link: SIGN_IN,
  oauth_app: SIGN_IN,
  oauth_secret: SIGN_IN,
  passkey: SIGN_IN,
  passkey_challenge: SIGN_IN,
  session: SIGN_IN,
  sign_in_network: SIGN_IN,
  sso_session: SIGN_IN,
  sso_ticket: SIGN_IN,
  sso_used: SIGN_IN,
  twoFactor: SIGN_IN,
  used_code: SIGN_IN,
  verification: SIGN_IN,
  try_window: SIGN_IN,
  account_mail: ACCOUNTS,
  activity_setting: ACCOUNTS,
  notification_setting: ACCOUNTS,
  push_subscription: ACCOUNTS,
  access_epoch: WORK,
  alert_rule_state: WORK,
  artifact_assembly: WORK,
  artifact_chunk: none('pieces of uploads that are not put together yet'),
  artifact_epoch: WORK,
  blob_garbage: WORK,
  channel_message: WORK,
  cron_arrival: WORK,
  cron_clock: WORK,
  digest_settings: WORK,
  export_run: WORK,
  held_event: none('stored as events within half a minute'),
  issue_move: WORK,
  idempotent_request: WORK,
  job_lease: WORK,
  key_epoch: WORK,
  newcomer: WORK,
  owner_request: WORK,
  ownership_run: WORK,
  pipeline_state: WORK,
  project_hold: WORK,
  repair: WORK,
  schema_migration: WORK,
  settings_epoch: WORK,
  spike_minute: WORK,
  status_mail: WORK,
  uptime_result: WORK,
  backup_run: INSTALLATION,
  disk_day: INSTALLATION,
  node: INSTALLATION,
  setting: INSTALLATION,
  storage_state: INSTALLATION,
  attachment_usage: MEASURED,
  storage_day: MEASURED,
  deletion: DELETED,
  event_deletion: DELETED,
  hidden_hash: DELETED,
  hidden_issue: DELETED,
  hidden_organization: DELETED,
  hidden_project: DELETED,
  issue_deletion: DELETED,
  recently_deleted: DELETED,
  replay_deletion: DELETED,
  erasure: none('names a person until the person is erased; the audit log says that it was asked for'),
}
