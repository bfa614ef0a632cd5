/** What the forms of pages send, as `page-addresses.ts` names them. */
import type { Names } from './addresses.ts'

const STATUS: Names = { status: 'resolved', resolution: 'release', version: 'shop@1.0.0' }
export const LIST_FORMS: readonly Names[] = [
  { status: 'ignored', id: '{issueId}' },
  { status: 'resolved', all: '1', confirmed: '1' },
  { undo: 'resolved<unresolved/new:{issueId}' },
  { assignee: 'me', id: '{issueId}' },
  { assignee: 'none', all: '1', confirmed: '1' },
  { priority: 'high', id: '{issueId}' },
  { review: '1', id: '{issueId}' },
  { bookmark: '1', id: '{issueId}' },
  { subscribe: '1', id: '{issueId}' },
  { until: 'escalating', id: '{issueId}' },
  { undo: 'assignee=<:{issueId}' },
  { go: 'merge', id: '{other8},{issueId}' },
  { go: 'delete', id: '{other8}' },
]
export const ISSUE_FORMS: readonly Names[] = [
  STATUS,
  { status: 'unresolved' },
  { status: 'resolved', resolution: 'next_release' },
  { assignee: 'me' },
  { assignee: 'typed', assignTo: 'ann@example.com' },
  { priority: 'low' },
  { priority: 'rule' },
  { review: '1' },
  { bookmark: '1' },
  { bookmark: '0' },
  { subscribe: '1' },
  { subscribe: '0' },
  { seen: '1' },
  { until: 'count', untilCount: '10', untilOf: 'events', untilWithin: '' },
  { undo: 'resolved<unresolved/new:{issueId}' },
]

export const RULE_FORM: Names = {
  kind: 'issue',
  does: 'save',
  name: 'made by form',
  change: 'new',
  coolDownMinutes: '30',
  members: 'on',
}

// An address that the guard refuses, so that no test asks anybody outside.
export const MONITOR_FORM: Names = {
  does: 'save',
  name: 'made by form',
  url: 'http://127.0.0.1:1/',
  method: 'GET',
  intervalSec: '3600',
  timeoutSec: '10',
  statuses: '200-299',
  maxRedirects: '5',
  failures: '3',
  failuresOf: '3',
  recoveries: '2',
  members: 'on',
}

export const CRON_FORM: Names = {
  does: 'save',
  name: 'made by form',
  slug: 'made-by-form',
  scheduleType: 'crontab',
  crontab: '0 3 * * *',
  timezone: 'UTC',
  checkinMargin: '5',
  maxRuntime: '30',
  failureIssueThreshold: '1',
  recoveryThreshold: '1',
  members: 'on',
}

/** The last two take it away and make it anew. */
export const STATUS_PAGE_FORMS: readonly Names[] = [
  { form: 'page', slug: 'status-of-{org}', title: 'changed by form', description: '' },
  { form: 'publish', does: 'unpublish' },
  { form: 'publish', does: 'publish' },
  { form: 'add-component', monitor: 'cron:{anyCron}:made', name: 'made by form', group: '' },
  { form: 'component', component: '{statusComponent}', name: 'changed by form', group: '', does: 'down' },
  { form: 'component', component: '{statusComponent}', name: 'changed by form', group: '', does: 'up' },
  { form: 'component', component: '{statusComponent}', name: 'changed by form', group: '', does: 'remove' },
  { form: 'subscriber', email: 'ada@example.com' },
  { form: 'delete-page' },
  { form: 'new-page', slug: 'made-by-form', title: 'made by form', description: '' },
]

export const EXPORT_FORMS: readonly Names[] = [
  { form: 'start' },
  { form: 'cancel', id: '{export}' },
  { form: 'schedule', schedule: 'off', at: '03:00', weekday: '0', zone: 'UTC', keep: '4' },
]

export const STATUS_INCIDENT_FORMS: readonly Names[] = [
  { form: 'incident', title: 'made by form', body: 'text', impact: 'minor', state: 'investigating' },
  {
    form: 'maintenance',
    title: 'made by form',
    body: 'text',
    start: '{now}',
    startZone: 'UTC',
    end: '{tomorrow}',
    endZone: 'UTC',
  },
  { form: 'update', incident: '{statusIncident}', state: 'monitoring', body: 'text' },
  { form: 'remove', incident: '{statusIncident}' },
]
export const PROJECT_SETTINGS_FORMS: readonly Names[] = [
  { form: 'new-key', label: 'another' },
  { form: 'key', does: 'change', keyId: '{keyId}', label: 'renamed' },
  { form: 'key', does: 'disable', keyId: '{keyId}' },
  { form: 'key', does: 'enable', keyId: '{keyId}' },
  { form: 'key', does: 'rotate', keyId: '{keyId}', graceHours: '1' },
  { form: 'key', does: 'delete', keyId: '{spareKeyId}' },
  { form: 'filters', messages: 'nothing' },
  { form: 'scrubbing', enabled: 'on', does: 'save' },
  { form: 'scrub-stored', does: 'preview' },
  { form: 'scrub-stored' },
  { form: 'sampling', does: 'save' },
  { form: 'rate-limit', count: '100', windowSec: '60' },
  { form: 'spikes', isOn: 'on' },
  { form: 'span-caps', capCount: '1000', capPeriod: 'day' },
  { form: 'domains', allowedDomains: 'shop.example' },
  { form: 'scrubbing', does: 'try', sample: '{"message":"x"}' },
  { form: 'sampling', does: 'try' },
  { form: 'project', name: 'Shop', slug: 'shop', platform: 'node' },
  { form: 'team', team: '{team}', role: 'viewer' },
  { form: 'team', team: '{team}', does: 'take' },
  { form: 'delete-project', confirmSlug: '{project}' },
]
export const SINGLE_SIGN_ON_FORMS: readonly Names[] = [
  {
    form: 'provider',
    kind: 'oidc',
    name: 'made',
    issuer: 'https://login.example',
    clientId: 'sonde',
    clientSecret: 'secret',
    defaultRole: 'member',
    sessionHours: '24',
  },
  { form: 'new-domain', domain: 'made.example' },
  { form: 'domain', does: 'verify', domain: 'made.example' },
  { form: 'domain', does: 'remove', domain: 'made.example' },
  { form: 'new-group', group: 'made', role: 'viewer' },
  { form: 'group', id: '{ssoGroup}' },
  { form: 'switch', on: 'no' },
  { form: 'scim-token', currentPassword: 'correct horse battery' },
  { form: 'scim-off' },
  { form: 'delete' },
]

export const MODEL_FORMS: readonly Names[] = [
  { form: 'model', url: 'http://127.0.0.1:1/v1', model: 'made' },
  { form: 'test' },
  { form: 'remove' },
]
