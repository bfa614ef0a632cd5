/** Every page and every form of the screens. A page of the code that is not named here fails the test. */
import type { Address, Names } from './addresses.ts'
import { DETECTOR_FORM } from './detector-form.ts'
import {
  CRON_FORM,
  EXPORT_FORMS,
  ISSUE_FORMS,
  LIST_FORMS,
  MODEL_FORMS,
  MONITOR_FORM,
  SINGLE_SIGN_ON_FORMS,
  PROJECT_SETTINGS_FORMS,
  RULE_FORM,
  STATUS_INCIDENT_FORMS,
  STATUS_PAGE_FORMS,
} from './page-forms.ts'

type Page = {
  readonly query?: Names
  /** Another way to ask, by which its load goes another way. */
  readonly alsoQuery?: Names
  /** Where its load leads on. */
  readonly status?: number
  readonly names?: Names
  /** One for each thing that its action does; the last ones take away what the others need. */
  readonly forms?: readonly Names[]
  /** Of a module that another page's action is in as well. */
  readonly sharedWords?: readonly string[]
  /** Of installations and accounts: has nothing of an organization in its address. */
  readonly isOwn?: true
}

export const PAGES: Readonly<Record<string, Page>> = {
  '/[org]/[project]/alerts/[rule]': { forms: [RULE_FORM, { ...RULE_FORM, does: 'try' }] },
  '/[org]/[project]/alerts/incidents': { query: { state: 'open', rule: '{rule}' } },
  '/[org]/[project]/alerts/incidents/[incident]': {
    forms: [
      { does: 'note', text: 'seen' },
      { does: 'retry', notificationId: '{told}' },
      { does: 'acknowledge' },
      { does: 'resolve' },
    ],
  },
  '/[org]/[project]/alerts/new': { forms: [RULE_FORM, { ...RULE_FORM, does: 'try' }] },
  '/[org]/[project]/alerts/preview': { status: 303, forms: [{ ...RULE_FORM, does: 'try' }] },
  '/[org]/[project]/alerts': {
    forms: [
      { does: 'disable', ruleId: '{rule}' },
      { does: 'enable', ruleId: '{rule}' },
      { does: 'mute', ruleId: '{rule}', minutes: '60' },
      { does: 'unmute', ruleId: '{rule}' },
      { does: 'duplicate', ruleId: '{rule}' },
      { does: 'delete', ruleId: '{rule}' },
    ],
  },
  '/[org]/[project]/explore': { query: { view: 'spans' } },
  '/[org]/[project]/explore/suggestions': { query: { query: 'na', cursor: '2' } },
  '/[org]/[project]/issues/[issue]/events/[event]/attachments/[attachment]': {
    forms: [{ delete: 'it' }],
  },
  '/[org]/[project]/issues/[issue]/events/[event]/json': {},
  '/[org]/[project]/issues/[issue]/events/[event]': { forms: ISSUE_FORMS },
  '/[org]/[project]/issues/[issue]/events': {
    forms: [{ event: '{event20}' }, { restore: '{deletedEvents1}' }],
  },
  '/[org]/[project]/issues/[issue]': { forms: ISSUE_FORMS },
  '/[org]/[project]/issues/[issue]/link': {
    forms: [
      { form: 'create', where: '{tracker}/acme/shop', title: 'made by form', body: 'text' },
      { form: 'link', where: '{tracker}/acme/shop', key: 'acme/shop#1', found: '' },
      { form: 'unlink', linkId: '{lastExternal}' },
    ],
  },
  '/[org]/[project]/issues/[issue]/activity': {
    forms: [
      { does: 'add', text: 'from a form' },
      { id: '{ownComment}', reaction: '🚀' },
      { does: 'try', preview: '1', text: 'not yet' },
      { does: 'edit', id: '{ownComment}', text: 'changed by a form' },
      { does: 'delete', id: '{ownComment}' },
    ],
    // A reaction says nothing else.
    sharedWords: ['react'],
  },
  '/[org]/[project]/issues/[issue]/activity/mentions': { query: { q: '@' } },
  '/[org]/[project]/issues/[issue]/activity/preview': { forms: [{ text: 'from a form' }], status: 303 },
  '/[org]/[project]/issues/[issue]/link/find': { query: { tracker: '{tracker}', place: 'x', q: 'made' } },
  '/[org]/[project]/issues/[issue]/merged': {
    names: { issue: '{other10}' },
    forms: [
      { does: 'split', hash: '{splitHash}' },
      { does: 'back', back: '{other11}' },
      { undo: 'merged<{other8}:1' },
    ],
  },
  '/[org]/[project]/issues/[issue]/explanation': { status: 303, forms: [{ event: '' }] },
  '/[org]/[project]/issues/[issue]/prompt': {},
  '/[org]/[project]/issues/[issue]/share': { forms: [{ does: 'share', days: '7' }, { does: 'revoke' }] },
  '/[org]/[project]/issues/[issue]/speed': {},
  '/[org]/[project]/issues/[issue]/tags/[key]': {},
  '/[org]/[project]/issues': { forms: LIST_FORMS },
  '/[org]/[project]/issues/merge': {
    query: { ids: '{other8},{other17}' },
    forms: [{ into: '{other8}', ids: '{other8},{other17}' }],
  },
  '/[org]/[project]/issues/delete': {
    query: { ids: '{other18}' },
    forms: [
      { does: 'delete', ids: '{other18}' },
      { does: 'discard', ids: '{other19}' },
    ],
  },
  '/[org]/[project]/noise': { forms: [{ bot: 'keep', fullPerDay: '1000' }] },
  '/[org]/[project]/settings/retention': {
    forms: [{ does: 'preview', 'errors.days': '30' }, { 'errors.days': '30' }],
  },
  '/[org]/[project]/settings/coverage': { query: { statsPeriod: '30d' } },
  '/[org]/[project]/settings/discarded': { forms: [{ issue: '1' }] },
  '/[org]/[project]/settings/personal-data': {
    forms: [
      { form: 'find', id: 'nobody-of-acme' },
      { form: 'erase', id: 'nobody-of-acme', confirm: '{project}' },
    ],
  },
  '/[org]/[project]/settings/personal-data/download': {
    status: 405,
    forms: [{ id: 'nobody-of-acme' }],
    sharedWords: ['find', 'erase'],
  },
  '/[org]/[project]/issues/suggestions': { query: { query: 'pla', cursor: '3' } },
  '/[org]/[project]/hydration': {},
  '/[org]/[project]/navigations': {},
  '/[org]/[project]': {},
  '/[org]/[project]/performance': {},
  '/[org]/[project]/performance/transaction': { query: { op: 'http.server', name: '{transaction}' } },
  '/[org]/[project]/releases/[release]': {},
  '/[org]/[project]/releases/compare': {},
  '/[org]/[project]/releases': {},
  '/[org]/[project]/settings': { forms: PROJECT_SETTINGS_FORMS },
  '/[org]/[project]/settings/grouping': {
    forms: [
      { form: 'grouping-rules', fingerprintRules: 'level:fatal -> fatal', stackRules: '', does: 'try' },
      { form: 'grouping-rules', fingerprintRules: 'level:fatal -> fatal', stackRules: '', does: 'save' },
      { form: 'grouping-version', version: 'v1', does: 'save' },
    ],
  },
  '/[org]/[project]/settings/grouping/trial': {
    status: 303,
    forms: [{ form: 'grouping-rules', fingerprintRules: 'level:fatal -> fatal', does: 'try' }],
    sharedWords: ['grouping-version'],
  },
  '/[org]/[project]/settings/performance-issues': {
    forms: [DETECTOR_FORM, { ...DETECTOR_FORM, does: 'try' }],
  },
  '/[org]/[project]/settings/ownership': {
    forms: [
      { form: 'ownership', rules: '# none', does: 'try' },
      { form: 'ownership', rules: '# none', autoAssignment: 'off', does: 'save' },
      { form: 'codeowners-owner', name: '@made', owner: '' },
      { form: 'codeowners', repository: 'made/2', content: '* @made', does: 'save' },
      { form: 'codeowners', id: '{spareCodeowners}', does: 'delete' },
      { form: 'ownership-apply' },
    ],
  },
  '/[org]/[project]/settings/ownership/trial': {
    status: 303,
    forms: [{ form: 'ownership', rules: 'path:* #x', sample: 'src/a.ts' }],
    sharedWords: ['try', 'ownership-apply', 'codeowners', 'codeowners-owner', 'delete'],
  },
  '/[org]/[project]/settings/sampling-preview': { status: 303, forms: [{ does: 'try' }] },
  '/[org]/[project]/settings/scrub-preview': {
    status: 303,
    forms: [{ sample: '{"message":"x"}' }],
    sharedWords: ['filters', 'scrubbing', 'sampling', 'rate-limit', 'spikes', 'span-caps', 'domains', 'try'],
  },
  '/[org]/[project]/source-maps': {
    query: { upload: '{upload}' },
    forms: [{ form: 'reprocess' }, { form: 'delete-upload', uploadId: '{upload}', confirm: 'on' }],
  },
  '/[org]/[project]/test-event': { status: 303, forms: [{ send: 'it' }] },
  '/[org]/[project]/crons': { query: { environment: 'production' } },
  '/[org]/[project]/crons/new': { forms: [CRON_FORM, { ...CRON_FORM, does: 'try' }] },
  '/[org]/[project]/crons/preview': { status: 303, forms: [{ ...CRON_FORM, does: 'try' }] },
  // Before its monitor is deleted.
  '/[org]/[project]/crons/[monitor]/edit': {
    names: { monitor: '{cron}' },
    forms: [
      { ...CRON_FORM, slug: 'edited-by-form' },
      { ...CRON_FORM, does: 'try' },
    ],
  },
  '/[org]/[project]/crons/[monitor]': {
    query: { environment: 'production' },
    alsoQuery: { before: '9999999999999-999999' },
    names: { monitor: '{cron}' },
    forms: [
      { does: 'mute' },
      { does: 'unmute' },
      { does: 'disable' },
      { does: 'enable' },
      { does: 'delete' },
    ],
  },
  '/[org]/[project]/uptime': {},
  '/[org]/[project]/uptime/new': { forms: [MONITOR_FORM, { ...MONITOR_FORM, does: 'try' }] },
  // Before its monitor is deleted.
  '/[org]/[project]/uptime/[monitor]/edit': {
    names: { monitor: '{uptime}' },
    forms: [MONITOR_FORM, { ...MONITOR_FORM, does: 'try' }],
  },
  '/[org]/[project]/uptime/[monitor]': {
    query: { statsPeriod: '7d' },
    names: { monitor: '{uptime}' },
    forms: [{ does: 'check' }, { does: 'pause' }, { does: 'resume' }, { does: 'delete' }],
  },
  '/[org]/[project]/insights/[kind]': { names: { kind: 'queries' }, query: { query: 'select' } },
  '/[org]/[project]/insights/[kind]/detail': { names: { kind: 'queries' }, query: { name: '{statement}' } },
  '/[org]/[project]/vitals': {},
  '/[org]/[project]/feedback': { query: { tab: 'resolved' }, forms: LIST_FORMS },
  '/[org]/service-map': {},
  '/[org]/[project]/ai-agents': {},
  '/[org]/[project]/ai-agents/conversation': { query: { trace: '{trace}' } },
  '/[org]/[project]/ai-agents/prices': { forms: [{ prices: 'small* 1 2' }] },
  '/[org]/[project]/mobile': {},
  '/[org]/[project]/replays': { query: { query: 'errors:0' } },
  '/[org]/[project]/replays/suggestions': { query: { query: 'ur', cursor: '2' } },
  '/[org]/[project]/replays/[replay]/recording': {},
  '/[org]/[project]/replays/[replay]/frame': {},
  '/[org]/[project]/replays/[replay]/videos/[segment]': { names: { replay: '{filmed}', segment: '0' } },
  '/[org]/[project]/replays/[replay]': { names: { replay: '{formReplay}' }, forms: [{ does: 'delete' }] },
  '/[org]/[project]/profiles': {},
  '/[org]/[project]/profiles/compare': { query: { by: 'time' } },
  '/[org]/[project]/profiles/[profile]': {},
  '/[org]/[project]/logs': { query: { query: 'severity:error', view: 'patterns' } },
  '/[org]/[project]/logs/suggestions': { query: { query: 'se', cursor: '2' } },
  '/[org]/[project]/metrics': { query: { metric: 'orders', group: 'region' } },
  '/[org]/[project]/metrics/suggestions': { query: { query: 'me', cursor: '2' } },
  '/[org]/explore': {},
  '/[org]/explore/suggestions': { query: { query: 'na', cursor: '2' } },
  '/[org]/issues': { forms: LIST_FORMS },
  '/[org]/issues/suggestions': { query: { query: 'pla', cursor: '3' } },
  '/[org]': { forms: [{ slug: 'made-by-form', platform: 'node' }] },
  '/[org]/settings': {
    forms: [
      { form: 'member', does: 'role', userId: '{member}', role: 'member' },
      { form: 'member', does: 'remove', userId: '{spareMember}' },
      { form: 'new-token', name: 'made', scopes: 'org:read', currentPassword: 'correct horse battery' },
      { form: 'token', tokenId: '{spareToken}' },
      { form: 'second-factor', require: 'yes' },
      { form: 'second-factor', require: 'no' },
      { form: 'endless', allow: 'yes' },
      { form: 'public-links', allow: 'yes' },
      { form: 'endless', allow: 'no' },
      { form: 'delete-organization', confirmSlug: 'another' },
    ],
  },
  '/[org]/settings/invitations': {
    forms: [
      { form: 'invite', emails: 'asked@example.com', role: 'member', days: '7', does: 'links' },
      { form: 'open-link', role: 'member', days: '7', maxUses: '2' },
      { form: 'renew', invitationId: '{invitation}', does: 'link' },
      { form: 'revoke', invitationId: '{invitation}' },
    ],
  },
  '/[org]/issues/searches': {
    query: { query: 'is:unresolved' },
    forms: [
      { form: 'save', name: 'by form', query: 'is:unresolved', sort: 'date', for: 'organization' },
      { form: 'search', does: 'change', id: '{search}', name: 'renamed', query: 'x', sort: 'date' },
      { form: 'search', does: 'default', id: '{search}' },
      { form: 'search', does: 'not-default', back: 'list' },
      { form: 'search', does: 'pin', id: '{search}' },
      { form: 'search', does: 'up', id: '{search}' },
      { form: 'search', does: 'down', id: '{search}' },
      { form: 'search', does: 'unpin', id: '{search}' },
      { form: 'search', does: 'delete', id: '{search}' },
      { form: 'search', does: 'restore', id: '{search}' },
    ],
  },
  '/[org]/issues/searches/list': {},
  '/[org]/settings/teams': {
    forms: [
      { form: 'new-team', name: 'made' },
      { form: 'members-see', see: 'teams' },
      { form: 'members-see', see: 'all' },
    ],
  },
  '/[org]/settings/teams/[team]': {
    forms: [
      { form: 'team', name: 'Renamed', slug: '{team}' },
      { form: 'add-member', email: 'vic@example.com' },
      { form: 'member', userId: '{member}' },
      { form: 'membership', does: 'join' },
      { form: 'membership', does: 'leave' },
      { form: 'add-project', project: '{project}', role: 'viewer' },
      { form: 'project', project: '{project}', does: 'take' },
      { form: 'delete-team', delete: 'after what it has' },
    ],
  },
  '/[org]/settings/channels': {
    query: { kind: 'webhook' },
    forms: [{ form: 'new-channel', kind: 'webhook', name: 'made', url: 'https://hooks.example/' }],
  },
  '/[org]/settings/channels/[channel]': {
    forms: [
      { form: 'channel', name: 'renamed', url: 'https://hooks.example/' },
      { form: 'signing-secret' },
      { form: 'test' },
      { form: 'retry', notificationId: '{notification}' },
      { form: 'delete' },
    ],
  },
  '/[org]/settings/audit': { query: { who: 'a', action: 'token.*', start: '2026-01-01', before: '9' } },
  '/[org]/settings/storage': {},
  '/[org]/settings/recently-deleted': {
    query: { before: '9' },
    forms: [
      { does: 'undo', id: '{deleted0}' },
      { does: 'restore', id: '{deleted4}' },
      { does: 'purge', id: '{deleted1}' },
    ],
  },
  '/[org]/settings/audit/download': {
    status: 405,
    forms: [{ format: 'csv' }, { format: 'json', action: 'project.create' }],
  },
  '/[org]/settings/export': { forms: EXPORT_FORMS },
  '/[org]/settings/personal-data': {
    forms: [
      { form: 'find', id: 'nobody-of-acme' },
      { form: 'erase', id: 'nobody-of-acme', confirm: '{org}' },
    ],
  },
  '/[org]/settings/model': { forms: MODEL_FORMS },
  '/[org]/settings/personal-data/download': {
    status: 405,
    forms: [{ id: 'nobody-of-acme' }],
    sharedWords: ['find', 'erase'],
  },
  '/[org]/settings/single-sign-on': { forms: SINGLE_SIGN_ON_FORMS },
  '/[org]/settings/status-page/incidents': { forms: STATUS_INCIDENT_FORMS },
  '/[org]/settings/status-page/preview': {},
  '/[org]/settings/status-page': { forms: STATUS_PAGE_FORMS },
  '/[org]/settings/trackers': {
    query: { kind: 'github' },
    forms: [
      {
        form: 'new-tracker',
        kind: 'github',
        name: 'made',
        places: 'acme/shop',
        'secret-token': 'token',
        syncIn: 'on',
        syncOut: 'on',
      },
    ],
  },
  '/[org]/settings/trackers/[tracker]': {
    forms: [
      { form: 'test' },
      { form: 'webhook-secret' },
      {
        form: 'tracker',
        name: 'renamed',
        places: 'acme/shop',
        apiUrl: 'https://api.github.com',
        'secret-token': 'token',
      },
      { form: 'delete', delete: 'after its links' },
    ],
  },
  '/[org]/sql/download': {
    status: 405,
    forms: [
      { q: 'SELECT name FROM spans', format: 'csv' },
      { q: 'SELECT title FROM events', format: 'json' },
    ],
  },
  '/[org]/sql': {
    query: { q: 'SELECT 1' },
    forms: [{ q: 'SELECT name FROM spans' }, { console: 'off' }, { console: 'on' }],
  },
  '/[org]/traces/[trace]/find': { query: { text: 'a' } },
  '/[org]/traces/[trace]': {},
  '/[org]/traces/[trace]/spans/[span]': {},
  '/[org]/traces/[trace]/summary': {},
  '/settings/assignees': { query: { org: '{org}' }, alsoQuery: { org: '{org}', project: '{project}' } },
  '/settings/environments': { query: { org: '{org}', project: '{project}' } },
  '/settings/filter-values': {
    query: { org: '{org}', project: '{project}', source: 'transactions', choose: 'release' },
  },
  '/settings/go': { query: { org: '{org}', text: '{issue}' }, isOwn: true },
  '/': { isOwn: true },
  '/settings/account': {
    isOwn: true,
    forms: [
      { form: 'session', sessionId: '{sessionId}' },
      { form: 'app', tokenId: '{tokenId}' },
      { form: 'token', tokenId: '{tokenId}' },
      { form: 'new-token', org: '{org}', name: 'taken', scopes: 'org:read' },
      { form: 'build-token', org: '{org}', name: 'taken', scopes: 'org:ci' },
    ],
  },
  '/settings/inbox': { isOwn: true, forms: [{ form: 'read', id: '{inboxItem}' }] },
  '/settings/inbox/count': { isOwn: true },
  '/settings/notifications': {
    isOwn: true,
    forms: [
      { form: 'project', project: '{org}/{project}', inbox: 'none', email: 'none' },
      { form: 'push-on', endpoint: 'https://push.example/made', p256dh: 'none', auth: 'none' },
      { form: 'push-test', id: '{browser}' },
      { form: 'push-off', id: '{browser}' },
    ],
  },
  '/settings/self-report': { isOwn: true, status: 303, forms: [{ report: 'on' }, { report: 'off' }] },
  '/settings/status/dead/[letter]': { isOwn: true },
  '/settings/audit': { isOwn: true },
  '/settings/audit/download': { isOwn: true, status: 405, forms: [{ format: 'csv' }, { format: 'json' }] },
  '/settings/backups': {
    isOwn: true,
    forms: ['create', 'prune', 'schedule', 'retention', 'verify'].map((form) => ({ form, id: 'x' })),
  },
  '/settings/recently-deleted': {
    isOwn: true,
    forms: ['restore', 'undo', 'purge'].map((does) => ({ does, id: '{deleted2}' })),
  },
  '/settings/storage': { isOwn: true, query: { project: '1' } },
  '/settings/status': {
    isOwn: true,
    forms: [
      { change: 'replay', id: '{letter}' },
      { change: 'discard', id: '{letter}', all: 'yes' },
    ],
  },
}

const shared = ({ names }: Page): Pick<Address, 'names'> => (names ? { names } : {})

export const pageReads = (isOwn: boolean): readonly Address[] =>
  Object.entries(PAGES)
    .filter(([, page]) => (page.isOwn === true) === isOwn)
    .flatMap(([template, page]) =>
      [page.query, ...(page.alsoQuery ? [page.alsoQuery] : [])].map((query): Address => ({
        kind: 'page',
        method: 'GET',
        template,
        ...shared(page),
        ...(query ? { query } : {}),
        status: page.status ?? 200,
      })),
    )

export const pageForms = (isOwn: boolean): readonly Address[] =>
  Object.entries(PAGES)
    .filter(([, page]) => (page.isOwn === true) === isOwn)
    .flatMap(([template, page]) =>
      (page.forms ?? []).map((form): Address => ({
        kind: 'page',
        method: 'POST',
        template,
        ...shared(page),
        form,
      })),
    )
