import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { paths } from '../src/paths.ts'

const ROUTES = join(import.meta.dirname, '..', 'src', 'routes')

const BUILT = {
  home: paths.home(),
  signIn: paths.signIn(),
  signInCode: paths.signInCode(),
  findSso: paths.findSso(),
  signInSso: paths.signInSso('[org]'),
  singleSignOn: paths.singleSignOn('[org]'),
  forgotPassword: paths.forgotPassword(),
  newPassword: paths.newPassword('x').replace('?token=x', ''),
  signOut: paths.signOut(),
  org: paths.org('[org]'),
  orgSettings: paths.orgSettings('[org]'),
  teams: paths.teams('[org]'),
  team: paths.team('[org]', '[team]'),
  invitations: paths.invitations('[org]'),
  channels: paths.channels('[org]'),
  channel: paths.channel('[org]', 7).replace('7', '[channel]'),
  trackers: paths.trackers('[org]'),
  tracker: paths.tracker('[org]', 7).replace('7', '[tracker]'),
  audit: paths.audit('[org]'),
  auditFile: paths.auditFile('[org]'),
  project: paths.project('[org]', '[project]'),
  issues: paths.issues('[org]', '[project]'),
  orgIssues: paths.orgIssues('[org]'),
  savedSearches: paths.savedSearches('[org]'),
  savedSearchList: paths.savedSearchList('[org]'),
  issue: paths.issue('[org]', '[project]', '[issue]'),
  event: paths.event('[org]', '[project]', '[issue]', '[event]'),
  eventJson: paths.eventJson('[org]', '[project]', '[issue]', '[event]'),
  attachment: paths.attachment('[org]', '[project]', '[issue]', '[event]', 7).replace('7', '[attachment]'),
  mergeIssues: paths.mergeIssues('[org]', '[project]', [1]).replace(/\?.*/, ''),
  deleteIssues: paths.deleteIssues('[org]', '[project]', [1]).replace(/\?.*/, ''),
  issueParts: paths.issueParts('[org]', '[project]', '[issue]'),
  issueShare: paths.issueShare('[org]', '[project]', '[issue]'),
  shared: paths.shared('[token]'),
  discarded: paths.discarded('[org]', '[project]'),
  issueEvents: paths.issueEvents('[org]', '[project]', '[issue]'),
  issueSpeed: paths.issueSpeed('[org]', '[project]', '[issue]'),
  linkIssue: paths.linkIssue('[org]', '[project]', '[issue]'),
  findExternal: paths
    .findExternal('[org]', '[project]', '[issue]', { tracker: '1', place: 'x', q: 'x' })
    .replace(/\?.*/, ''),
  issueTag: paths.issueTag('[org]', '[project]', '[issue]', '[key]'),
  issueActivity: paths.issueActivity('[org]', '[project]', '[issue]'),
  mentions: paths.mentions('[org]', '[project]', '[issue]', 'x').replace('?q=x', ''),
  commentPreview: paths.commentPreview('[org]', '[project]', '[issue]'),
  account: paths.account(),
  secondFactorFor: paths.secondFactorFor('x').replace(/\?.*/, ''),
  inbox: paths.inbox(),
  inboxCount: paths.inboxCount(),
  notifications: paths.notifications(),
  invitation: paths.invitation('x').replace('?token=x', ''),
  confirmAddress: paths.confirmAddress('x').replace('?token=x', ''),
  unsubscribe: paths.unsubscribe('x').replace('?token=x', ''),
  status: paths.status(),
  installationAudit: paths.installationAudit(),
  installationAuditFile: paths.installationAuditFile(),
  deadLetter: paths.deadLetter(7).replace('7', '[letter]'),
  selfReport: paths.selfReport(),
  theme: paths.theme(),
  go: paths.go(),
  environments: paths.environments(),
  assignees: paths.assignees(),
  filterValues: paths.filterValues(),
  performance: paths.performance('[org]', '[project]'),
  transaction: paths.transaction('[org]', '[project]', { op: 'pageload', name: '/a' }).replace(/\?.*/, ''),
  vitals: paths.vitals('[org]', '[project]'),
  navigations: paths.navigations('[org]', '[project]'),
  releases: paths.releases('[org]', '[project]'),
  release: paths.release('[org]', '[project]', '[release]'),
  compareReleases: paths.compareReleases('[org]', '[project]'),
  sourceMaps: paths.sourceMaps('[org]', '[project]'),
  trace: paths.trace('[org]', '[trace]'),
  traceSpan: paths.traceSpan('[org]', '[trace]', '[span]'),
  traceFind: paths.traceFind('[org]', '[trace]', 'x').replace('?text=x', ''),
  traceSummary: paths.traceSummary('[org]', '[trace]', undefined),
  feedback: paths.feedback('[org]', '[project]'),
  logs: paths.logs('[org]', '[project]'),
  logsSuggestions: paths.logsSuggestions('[org]', '[project]'),
  serviceMap: paths.serviceMap('[org]'),
  aiAgents: paths.aiAgents('[org]', '[project]'),
  aiConversation: paths.aiConversation('[org]', '[project]'),
  aiPrices: paths.aiPrices('[org]', '[project]'),
  mobile: paths.mobile('[org]', '[project]'),
  profiles: paths.profiles('[org]', '[project]'),
  profile: paths.profile('[org]', '[project]', '[profile]'),
  explore: paths.explore('[org]', '[project]'),
  exploreSuggestions: paths.exploreSuggestions('[org]', undefined),
  sql: paths.sql('[org]'),
  sqlFile: paths.sqlFile('[org]'),
  alerts: paths.alerts('[org]', '[project]'),
  newAlert: paths.newAlert('[org]', '[project]'),
  alertRule: paths.alertRule('[org]', '[project]', '[rule]' as never),
  alertPreview: paths.alertPreview('[org]', '[project]'),
  uptime: paths.uptime('[org]', '[project]'),
  newUptime: paths.newUptime('[org]', '[project]'),
  uptimeMonitor: paths.uptimeMonitor('[org]', '[project]', '[monitor]' as never),
  editUptime: paths.editUptime('[org]', '[project]', '[monitor]' as never),
  incidents: paths.incidents('[org]', '[project]'),
  incident: paths.incident('[org]', '[project]', '[incident]' as never),
  projectSettings: paths.projectSettings('[org]', '[project]'),
  scrubPreview: paths.scrubPreview('[org]', '[project]'),
  samplingPreview: paths.samplingPreview('[org]', '[project]'),
  groupingSettings: paths.groupingSettings('[org]', '[project]'),
  groupingTrial: paths.groupingTrial('[org]', '[project]'),
  detectors: paths.detectors('[org]', '[project]'),
  ownership: paths.ownership('[org]', '[project]'),
  ownershipTrial: paths.ownershipTrial('[org]', '[project]'),
  testEvent: paths.testEvent('[org]', '[project]'),
} satisfies Record<keyof typeof paths, string>

test('every path, as it stands in links and bookmarks', () => {
  const shown = Object.fromEntries(
    Object.entries(BUILT).map(([name, path]) => [name, decodeURIComponent(path)]),
  )
  assert.deepEqual(shown, {
    home: '/',
    signIn: '/sign-in',
    signInCode: '/sign-in/code',
    findSso: '/sign-in/sso',
    signInSso: '/sign-in/sso/[org]',
    singleSignOn: '/[org]/settings/single-sign-on',
    forgotPassword: '/sign-in/forgot',
    newPassword: '/sign-in/new-password',
    signOut: '/sign-out',
    org: '/[org]',
    orgSettings: '/[org]/settings',
    teams: '/[org]/settings/teams',
    team: '/[org]/settings/teams/[team]',
    invitations: '/[org]/settings/invitations',
    channels: '/[org]/settings/channels',
    channel: '/[org]/settings/channels/[channel]',
    trackers: '/[org]/settings/trackers',
    tracker: '/[org]/settings/trackers/[tracker]',
    audit: '/[org]/settings/audit',
    auditFile: '/[org]/settings/audit/download',
    project: '/[org]/[project]',
    issues: '/[org]/[project]/issues',
    orgIssues: '/[org]/issues',
    savedSearches: '/[org]/issues/searches',
    savedSearchList: '/[org]/issues/searches/list',
    issue: '/[org]/[project]/issues/[issue]',
    event: '/[org]/[project]/issues/[issue]/events/[event]',
    eventJson: '/[org]/[project]/issues/[issue]/events/[event]/json',
    attachment: '/[org]/[project]/issues/[issue]/events/[event]/attachments/[attachment]',
    mergeIssues: '/[org]/[project]/issues/merge',
    deleteIssues: '/[org]/[project]/issues/delete',
    issueParts: '/[org]/[project]/issues/[issue]/merged',
    issueShare: '/[org]/[project]/issues/[issue]/share',
    shared: '/settings/shared/[token]',
    discarded: '/[org]/[project]/settings/discarded',
    issueEvents: '/[org]/[project]/issues/[issue]/events',
    issueSpeed: '/[org]/[project]/issues/[issue]/speed',
    linkIssue: '/[org]/[project]/issues/[issue]/link',
    findExternal: '/[org]/[project]/issues/[issue]/link/find',
    issueTag: '/[org]/[project]/issues/[issue]/tags/[key]',
    issueActivity: '/[org]/[project]/issues/[issue]/activity',
    mentions: '/[org]/[project]/issues/[issue]/activity/mentions',
    commentPreview: '/[org]/[project]/issues/[issue]/activity/preview',
    account: '/settings/account',
    secondFactorFor: '/settings/account',
    inbox: '/settings/inbox',
    inboxCount: '/settings/inbox/count',
    notifications: '/settings/notifications',
    invitation: '/settings/invitation',
    confirmAddress: '/settings/confirm-address',
    unsubscribe: '/settings/unsubscribe',
    status: '/settings/status',
    installationAudit: '/settings/audit',
    installationAuditFile: '/settings/audit/download',
    deadLetter: '/settings/status/dead/[letter]',
    selfReport: '/settings/self-report',
    theme: '/settings/theme',
    go: '/settings/go',
    environments: '/settings/environments',
    assignees: '/settings/assignees',
    filterValues: '/settings/filter-values',
    performance: '/[org]/[project]/performance',
    transaction: '/[org]/[project]/performance/transaction',
    vitals: '/[org]/[project]/vitals',
    navigations: '/[org]/[project]/navigations',
    releases: '/[org]/[project]/releases',
    release: '/[org]/[project]/releases/[release]',
    compareReleases: '/[org]/[project]/releases/compare',
    sourceMaps: '/[org]/[project]/source-maps',
    trace: '/[org]/traces/[trace]',
    traceSpan: '/[org]/traces/[trace]/spans/[span]',
    traceFind: '/[org]/traces/[trace]/find',
    traceSummary: '/[org]/traces/[trace]/summary',
    feedback: '/[org]/[project]/feedback',
    logs: '/[org]/[project]/logs',
    logsSuggestions: '/[org]/[project]/logs/suggestions',
    serviceMap: '/[org]/service-map',
    aiAgents: '/[org]/[project]/ai-agents',
    aiConversation: '/[org]/[project]/ai-agents/conversation',
    aiPrices: '/[org]/[project]/ai-agents/prices',
    mobile: '/[org]/[project]/mobile',
    profiles: '/[org]/[project]/profiles',
    profile: '/[org]/[project]/profiles/[profile]',
    explore: '/[org]/[project]/explore',
    exploreSuggestions: '/[org]/explore/suggestions',
    sql: '/[org]/sql',
    sqlFile: '/[org]/sql/download',
    alerts: '/[org]/[project]/alerts',
    newAlert: '/[org]/[project]/alerts/new',
    alertRule: '/[org]/[project]/alerts/[rule]',
    alertPreview: '/[org]/[project]/alerts/preview',
    uptime: '/[org]/[project]/uptime',
    newUptime: '/[org]/[project]/uptime/new',
    uptimeMonitor: '/[org]/[project]/uptime/[monitor]',
    editUptime: '/[org]/[project]/uptime/[monitor]/edit',
    incidents: '/[org]/[project]/alerts/incidents',
    incident: '/[org]/[project]/alerts/incidents/[incident]',
    projectSettings: '/[org]/[project]/settings',
    scrubPreview: '/[org]/[project]/settings/scrub-preview',
    samplingPreview: '/[org]/[project]/settings/sampling-preview',
    groupingSettings: '/[org]/[project]/settings/grouping',
    groupingTrial: '/[org]/[project]/settings/grouping/trial',
    detectors: '/[org]/[project]/settings/performance-issues',
    ownership: '/[org]/[project]/settings/ownership',
    ownershipTrial: '/[org]/[project]/settings/ownership/trial',
    testEvent: '/[org]/[project]/test-event',
  })
})

test('every path leads to a route', () => {
  for (const [name, path] of Object.entries(BUILT)) {
    const folder = join(ROUTES, decodeURIComponent(path))
    const isRoute = ['page.tsx', 'page.server.ts'].some((file) => existsSync(join(folder, file)))
    assert.ok(isRoute, `${name}: ${folder} has no page`)
  }
})

test('a list of issues keeps what was asked for in its address', () => {
  assert.equal(
    paths.issues('acme', 'shop', {
      query: 'is:unresolved "a b"',
      sort: 'freq',
      statsPeriod: '24h',
      environments: ['prod', 'a b'],
      cursor: '1:2:0',
    }),
    '/acme/shop/issues?query=is%3Aunresolved+%22a+b%22&sort=freq&statsPeriod=24h&cursor=1%3A2%3A0&environment=prod&environment=a+b',
  )
  assert.equal(paths.issues('acme', 'shop', { query: '', sort: '' }), '/acme/shop/issues?query=')
})

test('parameters are encoded, so that none can leave its segment', () => {
  assert.equal(paths.issue('a/b', 'c?d', '#1'), '/a%2Fb/c%3Fd/issues/%231')
  assert.equal(paths.signIn('/acme?x=1&y=2'), '/sign-in?next=%2Facme%3Fx%3D1%26y%3D2')
})

test('a release is reached whatever it is called', () => {
  assert.equal(
    paths.release('acme', 'shop', '@acme/web shop@2.0.0+build/7 🚀'),
    '/acme/shop/releases/%40acme%2Fweb%20shop%402.0.0%2Bbuild%2F7%20%F0%9F%9A%80',
  )
  assert.equal(
    paths.compareReleases('acme', 'shop', 'a+1', 'b&2'),
    '/acme/shop/releases/compare?a=a%2B1&b=b%262',
  )
  // These would be the page that compares, the list, and the project.
  for (const name of ['compare', '.', '..']) {
    const { pathname } = new URL(paths.release('acme', 'shop', name), 'http://sonde.test')
    assert.equal(pathname, `/acme/shop/releases/${name}%20`)
  }
})

test('a missing parameter throws', () => {
  assert.throws(() => paths.issues('acme', undefined as unknown as string), /missing after \/acme\//)
  assert.throws(() => paths.org(''), /missing/)
  assert.throws(() => paths.project('acme', '..'), /cannot be a part/)
})
