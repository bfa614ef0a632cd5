/** Every operation of `/api/0`. One of the code that is not named here fails the test. */
import type { Address, Names } from './addresses.ts'

type Operation = Omit<Address, 'kind' | 'method' | 'template'>

const RELEASES = ['/organizations/:org/releases', '/projects/:org/:project/releases'] as const
const ISSUES = ['/organizations/:org/issues/:issueId', '/issues/:issueId'] as const

const PERSONAL_DATA = ['/organizations/:org/personal-data', '/projects/:org/:project/personal-data'] as const
const NOBODY = { json: () => ({ id: 'nobody-of-acme' }) }

const RULE_LISTS = ['/organizations/:org/alert-rules', '/projects/:org/:project/alert-rules'] as const
const METRIC = { rule: '{metricRule}' }
const ISSUE_RULE = {
  json: () => ({
    name: 'changed',
    conditions: [{ id: 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition' }],
    actions: [{ id: 'sentry.mail.actions.NotifyEmailAction', targetType: 'AllMembers' }],
  }),
}
const RELEASE_RULE = {
  json: () => ({
    name: 'changed',
    verdicts: ['worse'],
    actions: [{ type: 'email', targetType: 'all_members' }],
  }),
}
const GATE = { names: { rule: '{releaseRule}' } }
const METRIC_RULE = {
  json: ({ project = '' }: Names) => ({
    name: 'changed',
    aggregate: 'count()',
    timeWindow: 60,
    projects: [project],
    triggers: [
      { label: 'critical', alertThreshold: 1, actions: [{ type: 'email', targetType: 'all_members' }] },
    ],
  }),
}
const MONITORS = [
  '/organizations/:org/monitors/:monitor',
  '/projects/:org/:project/monitors/:monitor',
] as const
const SPIKE = { json: () => ({ triggerType: 'spike-protection', serviceType: 'email' }) }

const both = <Bases extends readonly string[]>(
  bases: Bases,
  operations: (base: string, index: number) => Readonly<Record<string, Operation>>,
): Record<string, Operation> =>
  Object.assign({}, ...bases.map((base, index) => operations(base, index))) as never

const RESOLVE = { json: () => ({ status: 'resolved' }) }
const ASSEMBLE = {
  json: ({ project = '' }: Names) => ({
    checksum: 'a'.repeat(40),
    chunks: ['b'.repeat(40)],
    projects: [project],
  }),
}

/** What takes something away stands behind what needs it. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /organizations/:org': {},
  'GET /organizations/:org/projects': {},
  'GET /organizations/:org/members': {},
  'GET /organizations/:org/members/:member': {},
  'GET /organizations/:org/teams': {},
  'GET /teams/:org/:team': {},
  'GET /teams/:org/:team/members': {},
  'GET /teams/:org/:team/projects': {},
  'GET /projects/:org/:project/teams': {},
  'GET /organizations/:org/audit-logs': { query: { event: 'project.create' } },
  'GET /organizations/:org/org-auth-tokens': { bySession: true },
  'GET /organizations/:org/org-auth-tokens/:token': { bySession: true },
  'GET /projects/:org/:project': {},
  'GET /projects/:org/:project/members': {},
  'GET /projects/:org/:project/keys': {},
  'GET /projects/:org/:project/keys/:publicKey': {},
  'GET /organizations/:org/issues': {},
  'GET /organizations/:org/searches': {},
  'GET /organizations/:org/monitors': {},
  'POST /organizations/:org/monitors': {
    json: ({ project = '' }: Names) => ({ project, name: 'made', config: { schedule: '0 3 * * *' } }),
  },
  ...both(MONITORS, (base) => ({
    [`GET ${base}`]: {},
    [`GET ${base}/checkins`]: {},
    [`PUT ${base}`]: { json: () => ({ isMuted: true }) },
  })),
  'GET /organizations/:org/uptime': {},
  'GET /organizations/:org/uptime/:monitor': { names: { monitor: '{uptime}' } },
  'POST /organizations/:org/searches': {
    bySession: true,
    json: () => ({ name: 'made', query: 'is:unresolved' }),
  },
  'GET /projects/:org/:project/issues': {},
  ...both(ISSUES, (base) => ({
    [`GET ${base}`]: {},
    [`GET ${base}/hashes`]: {},
    [`GET ${base}/events`]: {},
    [`GET ${base}/events/:event`]: {},
    [`GET ${base}/tags`]: {},
    [`GET ${base}/tags/:tag`]: {},
    [`GET ${base}/tags/:tag/values`]: {},
    [`GET ${base}/external-issues`]: {},
    [`GET ${base}/activities`]: {},
    [`GET ${base}/comments`]: {},
    [`GET ${base}/notes`]: {},
  })),
  'GET /projects/:org/:project/events': {},
  'GET /projects/:org/:project/events/:event': {},
  'GET /projects/:org/:project/events/:event/owners': {},
  'GET /projects/:org/:project/events/:event/committers': {},
  'GET /projects/:org/:project/performance-issues/configure': {},
  'GET /projects/:org/:project/noise': {},
  'GET /projects/:org/:project/noise/rules': {},
  'GET /projects/:org/:project/retention': {},
  'GET /organizations/:org/recently-deleted': { query: { before: '9' } },
  'GET /organizations/:org/exports': { bySession: true },
  'GET /organizations/:org/exports/:export': { bySession: true },
  'GET /organizations/:org/export-schedule': { bySession: true },
  'GET /projects/:org/:project/ownership': {},
  'GET /projects/:org/:project/codeowners': {},
  'GET /projects/:org/:project/codeowners-owners': {},
  'GET /projects/:org/:project/events/:event/json': {},
  'GET /organizations/:org/events/:event/json': {},
  'GET /projects/:org/:project/events/:event/attachments': {},
  'GET /projects/:org/:project/events/:event/attachments/:attachment': { query: { download: '1' } },
  'GET /organizations/:org/chunk-upload': {},
  'GET /organizations/:org/tail': { query: { dataset: 'errors', last: '20', project: '{project}' } },
  'GET /organizations/:org/live': { query: { project: '{project}' }, isStream: true },
  'GET /organizations/:org/trace/:trace': {},
  'GET /organizations/:org/events-trace/:trace': {},
  'GET /projects/:org/:project/vitals': {},
  'GET /projects/:org/:project/navigations': {},
  'GET /organizations/:org/events': { query: { dataset: 'spans', field: 'count()', project: '{projectId}' } },
  'GET /organizations/:org/events-stats': {
    query: { dataset: 'tracemetrics', yAxis: 'count()', project: '{projectId}' },
  },
  'GET /organizations/:org/events-timeseries': {
    query: { dataset: 'profile_functions', yAxis: 'count()', project: '{projectId}' },
  },
  'GET /organizations/:org/sessions': { query: { field: 'sum(session)', project: '{projectId}' } },
  'GET /projects/:org/:project/user-feedback': {},
  'POST /projects/:org/:project/user-feedback': {
    json: () => ({
      event_id: 'f'.repeat(32),
      name: 'Ann',
      email: 'ann@shop.example',
      comments: 'It broke',
    }),
  },
  'GET /organizations/:org/tags': {},
  'GET /organizations/:org/tags/:tag/values': {},
  'GET /organizations/:org/search-suggestions': { query: { query: 'pla', cursor: '3' } },
  'GET /projects/:org/:project/tags': {},
  'GET /projects/:org/:project/tags/:tag/values': {},
  'GET /projects/:org/:project/search-suggestions': { query: { query: 'pla', cursor: '3' } },
  ...both(RELEASES, (base) => ({
    [`GET ${base}`]: {},
    [`GET ${base}/:version`]: {},
    [`GET ${base}/:version/commits`]: {},
    [`GET ${base}/:version/previous-with-commits`]: {},
    [`GET ${base}/:version/deploys`]: {},
    [`GET ${base}/:version/verdict`]: { query: { project: '{project}' } },
    [`GET ${base}/:version/files`]: {},
    [`GET ${base}/:version/files/:file`]: {},
  })),
  'GET /organizations/:org/repos': {},
  'GET /organizations/:org/eventids/:event': {},
  'GET /organizations/:org/shortids/:issue': {},
  'GET /organizations/:org/user-teams': {},
  'GET /organizations/:org/environments': {},
  'GET /projects/:org/:project/environments': {},
  'GET /projects/:org/:project/environments/:environment': { names: { environment: 'production' } },
  'GET /projects/:org/:project/users': {},
  'GET /organizations/:org/project-keys': {},
  'GET /organizations/:org/trace-items/attributes': {},
  'GET /organizations/:org/trace-meta/:trace': {},
  'GET /organizations/:org/releases/:version/commitfiles': {},
  'GET /organizations/:org/stats_v2': { query: { field: 'sum(quantity)' } },
  'GET /organizations/:org/stats-summary': {},
  'GET /projects/:org/:project/stats': {},
  'GET /projects/:org/:project/keys/:publicKey/stats': {},
  'GET /projects/:org/:project/filters': {},
  'PUT /projects/:org/:project/filters/:filter': {
    names: { filter: 'localhost' },
    status: 204,
    json: () => ({ active: true }),
  },
  'GET /organizations/:org/replays': {},
  'GET /organizations/:org/replays/:replay': {},
  'GET /projects/:org/:project/replays/:replay': {},
  'GET /projects/:org/:project/replays/:replay/recording-segments': {},
  'GET /projects/:org/:project/replays/:replay/recording-segments/:segment': {},
  'GET /projects/:org/:project/replays/:replay/clicks': {},
  'GET /projects/:org/:project/replays/:replay/viewed-by': {},
  'POST /projects/:org/:project/replays/:replay/viewed-by': { status: 204 },
  'GET /organizations/:org/replay-selectors': {},
  'GET /organizations/:org/replay-count': { query: { query: 'replay_id:{replay}' } },
  'GET /projects/:org/:project/replays/:replay/videos/:segment': { names: { replay: '{filmed}' } },
  'GET /projects/:org/:project/source-maps/reprocessing': {},
  'GET /projects/:org/:project/stored-scrubs': {},
  'GET /projects/:org/:project/deleted-events': {},
  'GET /projects/:org/:project/stored-scrubs/:scrub': { names: { scrub: '1000' } },
  'GET /projects/:org/:project/rules': {},
  'GET /projects/:org/:project/rules/:rule': {},
  'GET /projects/:org/:project/release-rules': {},
  'GET /projects/:org/:project/release-rules/:rule': GATE,
  ...both(RULE_LISTS, (base) => ({ [`GET ${base}`]: {}, [`GET ${base}/:rule`]: { names: METRIC } })),
  'GET /organizations/:org/notifications/actions': {},
  'GET /organizations/:org/notifications/actions/:action': {},
  'GET /organizations/:org/integrations': {},
  'POST /organizations/:org/artifact-states': { json: ({ debugId }) => ({ debugIds: [debugId] }) },
  ...Object.fromEntries(
    [
      '/projects/:org/:project/files/dsyms/*',
      '/projects/:org/:project/files/proguard-artifact-releases',
      '/projects/:org/:project/files/preprodartifacts/*',
      '/projects/:org/:project/reprocessing',
      '/organizations/:org/code-mappings/bulk',
    ].map((path) => [`ALL ${path}`, { status: 501 }]),
  ),

  'POST /organizations/:org/chunk-upload': {
    // Named by the SHA-1 of its content.
    file: { name: '11f6ad8ec52a2984abaafd7c3b516503785c2072', content: 'x' },
  },
  'POST /organizations/:org/artifactbundle/assemble': ASSEMBLE,
  'GET /projects/:org/:project/files/dsyms': {},
  'POST /projects/:org/:project/files/difs/assemble': {
    json: () => ({ ['a'.repeat(40)]: { name: 'app.sym', chunks: ['b'.repeat(40)] } }),
  },
  'DELETE /projects/:org/:project/files/dsyms': { query: { id: '{spareUpload}' } },
  'POST /organizations/:org/releases/:version/assemble': ASSEMBLE,
  'POST /organizations/:org/members': { bySession: true, json: () => ({ email: 'asked@example.com' }) },
  'PUT /organizations/:org/members/:member': { bySession: true, json: () => ({ orgRole: 'admin' }) },
  'POST /organizations/:org/teams': { json: () => ({ slug: 'made-team' }) },
  'PUT /teams/:org/:team': { json: () => ({ name: 'Changed' }) },
  'POST /teams/:org/:team/projects': { json: () => ({ name: 'Made by team', slug: 'made-by-team' }) },
  'POST /organizations/:org/members/:member/teams/:team': {},
  'DELETE /organizations/:org/members/:member/teams/:team': {},
  'POST /projects/:org/:project/teams/:team': { json: () => ({ role: 'viewer' }) },
  'DELETE /projects/:org/:project/teams/:team': { names: { team: '{spareTeam}' } },
  'DELETE /teams/:org/:team': { names: { team: '{spareTeam}' } },
  'POST /organizations/:org/org-auth-tokens': {
    bySession: true,
    json: () => ({ name: 'made', currentPassword: 'correct horse battery' }),
  },
  'PUT /organizations/:org/org-auth-tokens/:token': { bySession: true, json: () => ({ name: 'renamed' }) },
  'POST /organizations/:org/projects': { json: () => ({ name: 'Made', slug: 'made' }) },
  'PUT /projects/:org/:project': { json: () => ({ name: 'Changed' }) },
  'POST /projects/:org/:project/keys': { json: () => ({ name: 'made' }) },
  'PUT /projects/:org/:project/keys/:publicKey': { json: () => ({ name: 'changed' }) },
  'PUT /organizations/:org/issues': { query: { id: '{issueId}' }, ...RESOLVE },
  'PUT /projects/:org/:project/issues': {
    query: { id: '{issueId}' },
    json: () => ({ status: 'unresolved' }),
  },
  'DELETE /projects/:org/:project/replays/:replay': { names: { replay: '{spareReplay}' } },
  'POST /recently-deleted/:id/restore': { names: { id: '{deleted2}' } },
  'DELETE /recently-deleted/:id': { names: { id: '{deleted3}' } },
  'POST /organizations/:org/exports': { bySession: true },
  'DELETE /organizations/:org/exports/:export': { bySession: true },
  'PUT /organizations/:org/export-schedule': { bySession: true, json: () => ({ keep: 3 }) },
  'DELETE /organizations/:org': { bySession: true },
  'DELETE /projects/:org/:project/events': { query: { id: '{event23}' } },
  'POST /projects/:org/:project/deleted-events/:deletion/restore': {
    names: { deletion: '{deletedEvents0}' },
  },
  'DELETE /projects/:org/:project/events/:event': { names: { event: '{event21}' } },
  'DELETE /organizations/:org/issues': { query: { id: '{other15}' } },
  'DELETE /projects/:org/:project/issues': { query: { id: '{other16}' } },
  ...both(ISSUES, (base, index) => ({
    [`PUT ${base}`]: RESOLVE,
    [`PUT ${base}/hashes`]: {
      names: { issueId: `{other${index * 2}}` },
      query: { backTo: `{other${index * 2 + 1}}` },
    },
    [`DELETE ${base}/hashes`]: {
      names: { issueId: `{other${index * 2 + 4}}` },
      query: { backTo: `{other${index * 2 + 5}}` },
    },
    [`DELETE ${base}`]: { names: { issueId: `{other${index + 13}}` } },
    [`POST ${base}/external-issues`]: { json: ({ tracker = '' }: Names) => ({ trackerId: tracker }) },
    [`DELETE ${base}/external-issues/:external`]:
      index === 0 ? {} : { names: { external: '{spareExternal}' } },
    ...both([`${base}/comments`, `${base}/notes`], (comments, at) => ({
      [`POST ${comments}`]: { json: () => ({ text: 'by a program' }) },
      [`PUT ${comments}/:comment`]: { json: () => ({ text: 'changed by a program' }) },
      // A token of an organization is nobody's, and only people react.
      [`PUT ${comments}/:comment/reactions/:reaction`]: { names: { reaction: '🚀' }, bySession: true },
      [`DELETE ${comments}/:comment/reactions/:reaction`]: { names: { reaction: '🚀' }, bySession: true },
      [`DELETE ${comments}/:comment`]: { names: { comment: `{comment${index * 2 + at}}` } },
    })),
  })),
  ...both(RELEASES, (base, index) => ({
    [`POST ${base}`]: { json: ({ project = '' }) => ({ version: 'made@1', projects: [project] }) },
    [`PUT ${base}/:version`]: { json: () => ({ url: 'https://git.example/changed' }) },
    [`POST ${base}/:version/deploys`]: { json: () => ({ environment: 'production' }) },
    [`POST ${base}/:version/files`]: {
      form: { name: `~/made-${index}.js` },
      file: { name: 'made.js', content: 'x()' },
    },
  })),
  'POST /projects/:org/:project/source-maps/reprocessing': { json: () => ({}) },
  'POST /projects/:org/:project/stored-scrubs/preview': { json: () => ({}) },
  'POST /projects/:org/:project/stored-scrubs': { json: () => ({}) },
  'PUT /projects/:org/:project/performance-issues/configure': {
    json: () => ({ performance_slow_db_query: { enabled: false } }),
  },
  ...both(PERSONAL_DATA, (base) => ({
    [`POST ${base}/find`]: NOBODY,
    [`POST ${base}/export`]: NOBODY,
    [`POST ${base}/erase`]: NOBODY,
    [`GET ${base}/erasures`]: {},
    [`GET ${base}/erasures/:erasure`]: { names: { erasure: '1' } },
  })),
  'PUT /projects/:org/:project/noise/rules': { json: () => ({ actions: { bot: 'thin' } }) },
  'POST /projects/:org/:project/retention/preview': {
    json: () => ({ spans: { keepDays: 30, maxBytes: null } }),
  },
  'PUT /projects/:org/:project/retention': {
    json: () => ({ spans: { keepDays: 30, maxBytes: null } }),
  },
  'PUT /projects/:org/:project/ownership': { json: () => ({ raw: '# none' }) },
  'POST /projects/:org/:project/codeowners': {
    json: () => ({ raw: '* @made', codeMapping: { repoName: 'made' } }),
  },
  'PUT /projects/:org/:project/codeowners/:codeowners': { json: () => ({ raw: '* @changed' }) },
  'PUT /projects/:org/:project/codeowners-owners': { json: () => ({ name: '@changed', owner: '' }) },
  'DELETE /projects/:org/:project/codeowners/:codeowners': {},
  'POST /projects/:org/:project/rules': ISSUE_RULE,
  'PUT /projects/:org/:project/rules/:rule': { ...ISSUE_RULE, names: { rule: '{spareRule}' } },
  'POST /projects/:org/:project/rules/:rule/snooze': { json: () => ({}), names: { rule: '{spareRule}' } },
  'DELETE /projects/:org/:project/rules/:rule/snooze': { names: { rule: '{spareRule}' } },
  'DELETE /projects/:org/:project/rules/:rule': { names: { rule: '{spareRule}' } },
  'POST /projects/:org/:project/release-rules': RELEASE_RULE,
  'PUT /projects/:org/:project/release-rules/:rule': { ...RELEASE_RULE, ...GATE },
  'POST /projects/:org/:project/release-rules/:rule/snooze': { json: () => ({}), ...GATE },
  'DELETE /projects/:org/:project/release-rules/:rule/snooze': GATE,
  'DELETE /projects/:org/:project/release-rules/:rule': GATE,
  ...both(RULE_LISTS, (base) => ({
    [`POST ${base}`]: METRIC_RULE,
    [`PUT ${base}/:rule`]: { ...METRIC_RULE, names: METRIC },
  })),
  'POST /projects/:org/:project/alert-rules/:rule/snooze': { json: () => ({}), names: METRIC },
  'DELETE /projects/:org/:project/alert-rules/:rule/snooze': { names: METRIC },
  ...both(RULE_LISTS, (base, index) => ({
    [`DELETE ${base}/:rule`]: { names: { rule: index === 0 ? '{metricRule}' : '{spareMetricRule}' } },
  })),
  'POST /organizations/:org/notifications/actions': SPIKE,
  'PUT /organizations/:org/notifications/actions/:action': SPIKE,
  'DELETE /organizations/:org/notifications/actions/:action': {},
  'DELETE /projects/:org/:project/events/:event/attachments/:attachment': {
    names: { attachment: '{spareAttachment}' },
  },
  ...both(RELEASES, (base, index) => ({
    [`DELETE ${base}/:version/files/:file`]: index === 0 ? {} : { names: { file: '{spareFile}' } },
  })),
  'DELETE /projects/:org/:project/files/source-maps': { query: { name: '{version}' } },
  'DELETE /organizations/:org/files/source-maps': { query: { name: '{version}' } },
  ...both(RELEASES, (base, index) => ({
    [`DELETE ${base}/:version`]: { names: { version: index === 0 ? '{spareVersion}' : '{emptyVersion}' } },
  })),
  ...both(MONITORS, (base, index) => ({
    [`DELETE ${base}`]: index === 0 ? {} : { names: { monitor: '{spareMonitor}' } },
  })),
  'PUT /organizations/:org/searches/:search': { json: () => ({ name: 'renamed' }) },
  'PUT /organizations/:org/searches/:search/pin': { bySession: true },
  'DELETE /organizations/:org/searches/:search/pin': { bySession: true },
  'DELETE /organizations/:org/searches/:search': { names: { search: '{spareSearch}' } },
  'DELETE /organizations/:org/org-auth-tokens/:token': { bySession: true },
  'DELETE /organizations/:org/members/:member': { bySession: true },
  'DELETE /projects/:org/:project/keys/:publicKey': { names: { publicKey: '{spareKey}' } },
  'DELETE /projects/:org/:project': { names: { project: '{spareProject}' } },
}

/** Says the same to everybody, or what is theirs. */
export const OWN_OPERATIONS: readonly string[] = [
  'GET /',
  'GET /users/me/regions',
  'GET /auth',
  'GET /users/me',
  'GET /internal/health',
  'GET /openapi.json',
  ...['', '/page.js', '/page.css', '/swagger-ui.js', '/swagger-ui.css'].map((file) => `GET /docs${file}`),
  'GET /projects',
  'GET /organizations',
  'GET /recently-deleted',
  'GET /inbox/live',
  // Its token alone says whom it is about.
  'GET /unsubscribe',
  'POST /unsubscribe',
  'GET /status-unsubscribe',
  'POST /status-unsubscribe',
  'GET /organizations/:org/shared/issues/:share',
  'GET /shared/issues/:share',
  // Its signature says whose it is.
  'POST /trackers/:tracker/webhook',
  'POST /channels/:channel/hook',
  // For who is not signed in: what a browser carries, or a provider signed, says who they are.
  'GET /sso/:org/start',
  'GET /sso/:org/callback',
  'POST /sso/:org/acs',
  'GET /sso/:org/finish',
  'GET /sso/:org/metadata',
  'ALL /sso/*',
  // What they carry is the proof, and says whose it is: packages/access/test/oauth.test.ts.
  'POST /oauth/register',
  'POST /oauth/token',
  'POST /oauth/revoke',
  'ALL /oauth/*',
  // The SCIM token of the organization in the path alone opens them: packages/api/test/scim.
  ...['Users', 'Groups'].flatMap((all) => {
    const one = `/organizations/:org/scim/v2/${all}/:${all === 'Users' ? 'person' : 'group'}`
    const many = `/organizations/:org/scim/v2/${all}`
    return [`GET ${many}`, `POST ${many}`, `GET ${one}`, `PUT ${one}`, `PATCH ${one}`, `DELETE ${one}`]
  }),
  'GET /organizations/:org/scim/v2/ServiceProviderConfig',
  'GET /organizations/:org/scim/v2/ResourceTypes',
  'GET /organizations/:org/scim/v2/ResourceTypes/:resource',
  'GET /organizations/:org/scim/v2/Schemas',
  'GET /organizations/:org/scim/v2/Schemas/:resource',
  'ALL /organizations/:org/scim/v2/*',
]

export const operations = (isRead: boolean): readonly Address[] =>
  Object.entries(OPERATIONS).flatMap(([name, operation]) => {
    const [method = '', template = ''] = name.split(' ')
    const reads = ['GET', 'ALL'].includes(method)
    if (reads !== isRead) return []
    return [{ kind: 'api', method: method === 'ALL' ? 'POST' : method, template, ...operation }]
  })

/** Names of the code's own, where the tables use a clearer one. */
export const asInTable = (operation: string): string =>
  operation
    .replace(/\/issues\/:issue\b/, '/issues/:issueId')
    .replace(/\/tags\/:key\b/, '/tags/:tag')
    .replace(/\/keys\/:key\b/, '/keys/:publicKey')

/** `/issues/:issueId` → `/issues/x`: an address that is looked up in the document. */
export const pathInDocument = (template: string): string => template.replaceAll(/:\w+/g, 'x')
