/**
 * The public status page of an organization: what it shows, what was posted, who gets mail about it and mail that is on its way.
 * Times are Unix milliseconds. docs/status-page.md, docs/decisions/0066-status-pages.md
 */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type StatusTables = {
  status_page: StatusPageTable
  status_component: StatusComponentTable
  status_incident: StatusIncidentTable
  status_affected: StatusAffectedTable
  status_update: StatusUpdateTable
  status_subscriber: StatusSubscriberTable
  status_mail: StatusMailTable
}

/** One of an organization. */
export type StatusPageTable = {
  id: Generated<number>
  org_id: Fixed<number>
  /** Of the whole installation: `/status/{slug}`. */
  slug: string
  title: string
  description: string
  is_published: 0 | 1
  created_by: Fixed<string>
  created_ms: Fixed<number>
  updated_ms: number
}

/** A monitor under the name that the public reads. */
export type StatusComponentTable = {
  id: Generated<number>
  page_id: Fixed<number>
  /** Exactly one of both. */
  uptime_monitor_id: Fixed<number | null>
  cron_monitor_id: Fixed<number | null>
  /** Of a cron monitor: the environment that counts; empty: all. */
  environment: Fixed<string>
  name: string
  /** Components with the same stand together; empty: in none. */
  group_name: string
  position: number
}

export type StatusIncidentKind = 'incident' | 'maintenance'
export type StatusIncidentState =
  | 'investigating'
  | 'identified'
  | 'monitoring'
  | 'resolved'
  | 'scheduled'
  | 'in_progress'
  | 'done'
/** What it does to the components: `minor` degraded, `major` partial outage, `critical` major outage. */
export type StatusImpact = 'minor' | 'major' | 'critical'

export type StatusIncidentTable = {
  id: Generated<number>
  page_id: Fixed<number>
  kind: Fixed<StatusIncidentKind>
  title: string
  impact: StatusImpact
  state: StatusIncidentState
  /** Of maintenance: when it is planned to begin. */
  started_ms: number
  /** Of maintenance: when it is planned to end. */
  planned_end_ms: number | null
  /** Null: it is not over. */
  ended_ms: number | null
  /** The incident of a monitor that it tells; null: a person posted it. */
  source_incident_id: Fixed<number | null>
  /** 1: somebody took it off the page. Its monitor's incident does not come back. */
  is_hidden: 0 | 1
  created_ms: Fixed<number>
}

export type StatusAffectedTable = { incident_id: Fixed<number>; component_id: Fixed<number> }

export type StatusUpdateTable = {
  id: Generated<number>
  incident_id: Fixed<number>
  state: Fixed<StatusIncidentState>
  body: Fixed<string>
  /** `actorOf` who posted it; empty: Sonde. Never shown in public. */
  created_by: Fixed<string>
  at_ms: Fixed<number>
  /** Subscribers up to this id have their mail; null: all have. */
  queued_to: number | null
}

export type StatusSubscriberTable = {
  id: Generated<number>
  page_id: Fixed<number>
  /** In lower case. */
  address: Fixed<string>
  /** SHA-256 of the token in the mail that asks, hex; null: it was confirmed. */
  confirm_hash: string | null
  /** When the last mail that asks was queued. */
  asked_ms: number
  /** When a subscription that nobody confirmed is forgotten; null: it was confirmed. */
  expires_ms: number | null
  confirmed_ms: number | null
}

/** A mail about an update that was not delivered yet. */
export type StatusMailTable = {
  update_id: Fixed<number>
  subscriber_id: Fixed<number>
  attempts: number
  next_attempt_ms: number
}

export const STATUS_PAGES: readonly string[] = [
  `CREATE TABLE status_page (id integer PRIMARY KEY AUTOINCREMENT,
    org_id integer NOT NULL UNIQUE REFERENCES organization (id) ON DELETE CASCADE, slug text NOT NULL UNIQUE,
    title text NOT NULL, description text NOT NULL, is_published integer NOT NULL, created_by text NOT NULL,
    created_ms integer NOT NULL, updated_ms integer NOT NULL)`,
  `CREATE TABLE status_component (id integer PRIMARY KEY AUTOINCREMENT,
    page_id integer NOT NULL REFERENCES status_page (id) ON DELETE CASCADE,
    uptime_monitor_id integer REFERENCES uptime_monitor (id) ON DELETE CASCADE,
    cron_monitor_id integer REFERENCES cron_monitor (id) ON DELETE CASCADE, environment text NOT NULL,
    name text NOT NULL, group_name text NOT NULL, position integer NOT NULL)`,
  'CREATE INDEX status_component_by_page ON status_component (page_id, position)',
  'CREATE INDEX status_component_by_uptime ON status_component (uptime_monitor_id)',
  'CREATE INDEX status_component_by_cron ON status_component (cron_monitor_id)',
  `CREATE TABLE status_incident (id integer PRIMARY KEY AUTOINCREMENT,
    page_id integer NOT NULL REFERENCES status_page (id) ON DELETE CASCADE, kind text NOT NULL, title text NOT NULL,
    impact text NOT NULL, state text NOT NULL, started_ms integer NOT NULL, planned_end_ms integer, ended_ms integer,
    source_incident_id integer, is_hidden integer NOT NULL, created_ms integer NOT NULL)`,
  'CREATE INDEX status_incident_by_page ON status_incident (page_id, started_ms)',
  'CREATE UNIQUE INDEX status_incident_by_source ON status_incident (page_id, source_incident_id)',
  // Asked every second: what goes on.
  'CREATE INDEX status_incident_open ON status_incident (page_id) WHERE ended_ms IS NULL',
  'CREATE INDEX status_incident_by_end ON status_incident (ended_ms)',
  `CREATE TABLE status_affected (
    incident_id integer NOT NULL REFERENCES status_incident (id) ON DELETE CASCADE,
    component_id integer NOT NULL REFERENCES status_component (id) ON DELETE CASCADE,
    PRIMARY KEY (incident_id, component_id)) WITHOUT ROWID`,
  'CREATE INDEX status_affected_by_component ON status_affected (component_id)',
  `CREATE TABLE status_update (id integer PRIMARY KEY AUTOINCREMENT,
    incident_id integer NOT NULL REFERENCES status_incident (id) ON DELETE CASCADE, state text NOT NULL,
    body text NOT NULL, created_by text NOT NULL, at_ms integer NOT NULL, queued_to integer)`,
  'CREATE INDEX status_update_by_incident ON status_update (incident_id, id)',
  // Asked every second: what is to be told.
  'CREATE INDEX status_update_untold ON status_update (id) WHERE queued_to IS NOT NULL',
  `CREATE TABLE status_subscriber (id integer PRIMARY KEY AUTOINCREMENT,
    page_id integer NOT NULL REFERENCES status_page (id) ON DELETE CASCADE, address text NOT NULL, confirm_hash text UNIQUE,
    asked_ms integer NOT NULL, expires_ms integer, confirmed_ms integer)`,
  'CREATE UNIQUE INDEX status_subscriber_by_address ON status_subscriber (page_id, address)',
  'CREATE INDEX status_subscriber_of_person ON status_subscriber (address)',
  'CREATE INDEX status_subscriber_by_end ON status_subscriber (expires_ms)',
  'CREATE INDEX status_subscriber_asked ON status_subscriber (page_id, asked_ms)',
  `CREATE TABLE status_mail (
    update_id integer NOT NULL REFERENCES status_update (id) ON DELETE CASCADE,
    subscriber_id integer NOT NULL REFERENCES status_subscriber (id) ON DELETE CASCADE,
    attempts integer NOT NULL, next_attempt_ms integer NOT NULL, PRIMARY KEY (update_id, subscriber_id)) WITHOUT ROWID`,
  'CREATE INDEX status_mail_by_time ON status_mail (next_attempt_ms)',
  'CREATE INDEX status_mail_by_subscriber ON status_mail (subscriber_id)',
  // `/status` is an address of Sonde's own from now on.
  "UPDATE organization SET slug = 'status-' || id WHERE slug = 'status'",
]
