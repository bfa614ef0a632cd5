/** What status pages call things, in public, in mail and in settings; and their limits. */
import type { StatusImpact, StatusIncidentKind, StatusIncidentState } from '@sonde/stores'

export const STATUS_LIMITS = {
  titleChars: 100,
  descriptionChars: 500,
  nameChars: 80,
  bodyChars: 4_000,
  /** Each reads up to 90 days of hours. */
  components: 50,
  /** That are not over, of one page. */
  openIncidents: 50,
  /** Of one page: a mail to each takes a server minutes. */
  subscribers: 10_000,
  /** Mails an hour that ask strangers whether they want mail, of one page: whoever types addresses of others stops there. */
  confirmationsAnHour: 200,
  /** One address is asked again after it. */
  askAgainMs: 60 * 60_000,
  confirmMs: 24 * 60 * 60_000,
} as const

export const INCIDENT_STATES = ['investigating', 'identified', 'monitoring', 'resolved'] as const
const MAINTENANCE_STATES = ['scheduled', 'in_progress', 'done'] as const

export const STATES_OF: Readonly<Record<StatusIncidentKind, readonly StatusIncidentState[]>> = {
  incident: INCIDENT_STATES,
  maintenance: MAINTENANCE_STATES,
}

export const isOver = (state: StatusIncidentState): boolean => state === 'resolved' || state === 'done'

export const STATE_WORDS: Readonly<Record<StatusIncidentState, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
  scheduled: 'Scheduled',
  in_progress: 'In progress',
  done: 'Completed',
}

export const IMPACTS = ['minor', 'major', 'critical'] as const
export const IMPACT_WORDS: Readonly<Record<StatusImpact, string>> = {
  minor: 'Degraded performance',
  major: 'Partial outage',
  critical: 'Major outage',
}

/** Where a page is, in public. */
export const statusUrl = (publicUrl: string, slug: string): string =>
  `${publicUrl}/status/${encodeURIComponent(slug)}`
