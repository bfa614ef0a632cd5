/**
 * Every address of the screens, built in one place: a renamed route fails here and in its snapshot rather than in a
 * link nobody clicks. A missing parameter throws: `/acme/undefined/issues` must never be rendered.
 */
export type IssueListSearch = {
  /** The search text; undefined leaves the default, the empty text asks for everything. */
  readonly query?: string | undefined
  readonly sort?: string | undefined
  /** `24h`, `14d`; empty: all time. */
  readonly statsPeriod?: string | undefined
  /** Instead of a period: two ISO times. */
  readonly start?: string | undefined
  readonly end?: string | undefined
  /** Only events of these; none: of all. */
  readonly environments?: readonly string[] | undefined
  readonly cursor?: string | undefined
}

/** An event's id, or `latest`, `oldest`, `recommended`. */
export type EventRef = string

export type TraceSearch = {
  /** The one whose details are shown. */
  readonly span?: string | undefined
  /** Only this span and what is below it. */
  readonly root?: string | undefined
  /** Part of the time: `120-340`, milliseconds after the begin. */
  readonly zoom?: string | undefined
  /** What is looked for. */
  readonly q?: string | undefined
  /** First line, where there are no scripts to scroll with. */
  readonly at?: string | undefined
}

export type SourceMapsSearch = {
  /** The upload whose files are listed, and a part of their names. */
  readonly upload?: string | undefined
  readonly file?: string | undefined
  /** A part of a release, a debug id, a file. */
  readonly q?: string | undefined
  readonly cursor?: string | undefined
  /** Of the frames that are not readable: `7d`, `30d`. */
  readonly statsPeriod?: string | undefined
}

export const paths = {
  home: () => '/',
  /** `expired`: the code came too late, the page says so. */
  signIn: (next?: string, expired?: 'code') => `/sign-in${queryOf({ next, expired })}`,
  /** After a password that was right, when the person's sign-in asks for a code too. */
  signInCode: (next?: string) => `/sign-in/code${queryOf({ next })}`,
  forgotPassword: () => '/sign-in/forgot',
  /** From a mail. */
  newPassword: (token: string) => '/sign-in/new-password' + queryOf({ token }),
  /** Finds the provider of an organization by an address. */
  findSso: (next?: string) => `/sign-in/sso${queryOf({ next })}`,
  /** The sign-in page of an organization. */
  signInSso: (org: string, search: { readonly next?: string | undefined } = {}) =>
    path`/sign-in/sso/${org}` + queryOf(search),
  signOut: () => '/sign-out',
  org: (org: string) => path`/${org}`,
  /** Members and tokens; some of the members: by `q`, `role`, `team`, `factor` and `page`. */
  orgSettings: (org: string, search: Readonly<Record<string, string | undefined>> = {}) =>
    path`/${org}/settings` +
    queryOf(Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ''))),
  /** Who was invited and has not come; invites others. */
  teams: (org: string) => path`/${org}/settings/teams`,
  team: (org: string, team: string) => path`/${org}/settings/teams/${team}`,
  invitations: (org: string) => path`/${org}/settings/invitations`,
  /** Where notifications go. `kind`: the form for a new one of it. */
  channels: (org: string, kind?: string) => path`/${org}/settings/channels` + queryOf({ kind }),
  /** `before`: older deliveries than this one. */
  channel: (org: string, channel: number, before?: number) =>
    path`/${org}/settings/channels/${String(channel)}` + queryOf({ before: before?.toString() }),
  /** The language model that explains issues. */
  languageModel: (org: string) => path`/${org}/settings/model`,
  /** Issue trackers. `kind`: the form for a new connection of it. */
  trackers: (org: string, kind?: string) => path`/${org}/settings/trackers` + queryOf({ kind }),
  singleSignOn: (org: string) => path`/${org}/settings/single-sign-on`,
  tracker: (org: string, tracker: number) => path`/${org}/settings/trackers/${String(tracker)}`,
  /** Who did what. `search`: the filter; `before`: older than this entry. */
  audit: (org: string, search: Readonly<Record<string, string | undefined>> = {}) =>
    path`/${org}/settings/audit` + queryOf(search),
  /** Takes a POST with the filter and `format`. */
  auditFile: (org: string) => path`/${org}/settings/audit/download`,
  /** What the projects of the organization store. */
  orgStorage: (org: string) => path`/${org}/settings/storage`,
  /** Issues and projects that can be restored. `before`: the page whose lines are older than this one. */
  recentlyDeleted: (org: string, before?: number) =>
    path`/${org}/settings/recently-deleted` + queryOf({ before: before?.toString() }),
  /** The public status page: what it is, what it shows; what is posted there; how it would look. */
  statusPage: (org: string) => path`/${org}/settings/status-page`,
  statusIncidents: (org: string) => path`/${org}/settings/status-page/incidents`,
  statusPreview: (org: string) => path`/${org}/settings/status-page/preview`,
  /** Public, without a sign-in: these seven. */
  publicStatus: (page: string) => path`/status/${page}`,
  /** `before`: older than this incident. */
  statusHistory: (page: string, before?: number) =>
    path`/status/${page}/history` + queryOf({ before: before?.toString() }),
  statusFeed: (page: string) => path`/status/${page}/feed.atom`,
  statusSummary: (page: string) => path`/status/${page}/summary.json`,
  statusSubscribe: (page: string) => path`/status/${page}/subscribe`,
  /** From mails. */
  statusConfirm: (page: string, token: string) => path`/status/${page}/confirm` + queryOf({ token }),
  statusUnsubscribe: (page: string, token: string) => path`/status/${page}/unsubscribe` + queryOf({ token }),
  project: (org: string, project: string) => path`/${org}/${project}`,
  issues: (org: string, project: string, search: IssueListSearch = {}) =>
    path`/${org}/${project}/issues` + searchString(search),
  orgIssues: (org: string, search: IssueListSearch = {}) => path`/${org}/issues` + searchString(search),
  /** Where searches are saved and changed. `query` and `sort`: of the one to save; `project`: of the list one comes from. */
  savedSearches: (
    org: string,
    search: {
      readonly project?: string | undefined
      readonly query?: string | undefined
      readonly sort?: string | undefined
    } = {},
  ) => path`/${org}/issues/searches` + queryOf(search),
  /** As JSON. */
  savedSearchList: (org: string) => path`/${org}/issues/searches/list`,
  issue: (org: string, project: string, issue: string) => path`/${org}/${project}/issues/${issue}`,
  /** Asks into which issue the others are merged; asks whether they are to be deleted. */
  mergeIssues: (org: string, project: string, ids: readonly number[]) =>
    path`/${org}/${project}/issues/merge` + queryOf({ ids: ids.join(',') }),
  deleteIssues: (org: string, project: string, ids: readonly number[]) =>
    path`/${org}/${project}/issues/delete` + queryOf({ ids: ids.join(',') }),
  /** What became the issue: its fingerprints, and issues that were merged into it. `undo`: takes the last merge back. */
  issueParts: (
    org: string,
    project: string,
    issue: string,
    search: { readonly did?: string | undefined; readonly undo?: string | undefined } = {},
  ) => path`/${org}/${project}/issues/${issue}/merged` + queryOf(search),
  /** Makes and revokes its public link. */
  issueShare: (org: string, project: string, issue: string) => path`/${org}/${project}/issues/${issue}/share`,
  /** Public: without a sign-in. */
  shared: (token: string) => path`/settings/shared/${token}`,
  /** What the project did not cause, and what becomes of it. */
  noise: (org: string, project: string) => path`/${org}/${project}/noise`,
  /** What the project drops since somebody deleted it for good. */
  discarded: (org: string, project: string) => path`/${org}/${project}/settings/discarded`,
  /** How long it keeps each kind of data. */
  retention: (org: string, project: string) => path`/${org}/${project}/settings/retention`,
  /** Finds, exports and erases a user of the project's applications. */
  personalData: (org: string, project: string) => path`/${org}/${project}/settings/personal-data`,
  /** The same in all projects. */
  orgPersonalData: (org: string) => path`/${org}/settings/personal-data`,
  /** Everything of the organization as files. */
  orgExport: (org: string) => path`/${org}/settings/export`,
  /** What its measurements do not show, and what the measuring costs. */
  coverage: (org: string, project: string) => path`/${org}/${project}/settings/coverage`,
  event: (org: string, project: string, issue: string, event: EventRef) =>
    path`/${org}/${project}/issues/${issue}/events/${event}`,
  eventJson: (org: string, project: string, issue: string, event: EventRef) =>
    path`/${org}/${project}/issues/${issue}/events/${event}/json`,
  /** One file of an event: to be saved. With `?view`: shown, if it can be. */
  attachment: (org: string, project: string, issue: string, event: string, id: number) =>
    path`/${org}/${project}/issues/${issue}/events/${event}/attachments/${String(id)}`,
  /**
   * Everything done about an issue, and where one writes about it. `from`: that entry and what is older; it is scrolled to when
   * it is a comment. `edit`: the comment that is edited.
   */
  issueActivity: (
    org: string,
    project: string,
    issue: string,
    search: {
      readonly from?: number | undefined
      readonly only?: 'comments' | undefined
      readonly edit?: number | undefined
    } = {},
  ) =>
    path`/${org}/${project}/issues/${issue}/activity` +
    queryOf({ from: search.from?.toString(), only: search.only, edit: search.edit?.toString() }) +
    (search.from === undefined ? '' : `#comment-${search.from}`),
  /** As JSON: people and teams whose names go on like what was typed; what a comment would look like. */
  mentions: (org: string, project: string, issue: string, q: string) =>
    path`/${org}/${project}/issues/${issue}/activity/mentions` + queryOf({ q }),
  commentPreview: (org: string, project: string, issue: string) =>
    path`/${org}/${project}/issues/${issue}/activity/preview`,
  account: () => '/settings/account',
  /** How agents and editors connect to the MCP server. */
  mcp: () => '/settings/mcp',
  /** Consent to what an application asks for by OAuth; its query is the application's. */
  authorize: () => '/settings/authorize',
  /** Where a member sets up what this organization asks for. */
  secondFactorFor: (org: string) => '/settings/account' + queryOf({ for: org }) + '#two-factor',
  /** What one was told. `before`: older than this one. */
  inbox: (search: { readonly unread?: 'yes' | undefined; readonly before?: string | undefined } = {}) =>
    '/settings/inbox' + queryOf(search),
  inboxCount: () => '/settings/inbox/count',
  notifications: () => '/settings/notifications',
  /** From a mail or a link that somebody passed on: without a sign-in. */
  invitation: (token: string) => '/settings/invitation' + queryOf({ token }),
  /** From a mail to a new address. */
  confirmAddress: (token: string) => '/settings/confirm-address' + queryOf({ token }),
  /** From a mail: without a sign-in. */
  unsubscribe: (token: string) => '/settings/unsubscribe' + queryOf({ token }),
  status: () => '/settings/status',
  /** What is stored, for the operator. `project`: whose days are shown. */
  backups: () => '/settings/backups',
  storage: (project?: number) => '/settings/storage' + queryOf({ project: project?.toString() }),
  /** Organizations that their owners can restore. */
  deletedOrganizations: () => '/settings/recently-deleted',
  /** Of all organizations, for the operator. */
  installationAudit: (search: Readonly<Record<string, string | undefined>> = {}) =>
    '/settings/audit' + queryOf(search),
  installationAuditFile: () => '/settings/audit/download',
  deadLetter: (id: number) => path`/settings/status/dead/${String(id)}`,
  selfReport: () => '/settings/self-report',
  theme: () => '/settings/theme',
  /** A page of the documentation that this Sonde serves, which is none of the screens: `operate/backup#restoring`. */
  docs: (page = '') => `/docs/${page}`,
  go: () => '/settings/go',
  environments: () => '/settings/environments',
  assignees: () => '/settings/assignees',
  filterValues: () => '/settings/filter-values',
  issueEvents: (org: string, project: string, issue: string) =>
    path`/${org}/${project}/issues/${issue}/events`,
  /** As JSON: the vitals of those who had the error. */
  issueSpeed: (org: string, project: string, issue: string) => path`/${org}/${project}/issues/${issue}/speed`,
  /** Answers a post alone: what the language model says, as it comes. */
  issueExplanation: (org: string, project: string, issue: string) =>
    path`/${org}/${project}/issues/${issue}/explanation`,
  /** As Markdown: the issue with one of its events, as a question to a language model. */
  issuePrompt: (org: string, project: string, issue: string, event: string) =>
    path`/${org}/${project}/issues/${issue}/prompt` + queryOf({ event }),
  /** Makes and links issues of trackers; as JSON: those that the text finds. */
  linkIssue: (org: string, project: string, issue: string) => path`/${org}/${project}/issues/${issue}/link`,
  findExternal: (
    org: string,
    project: string,
    issue: string,
    search: { readonly tracker: string; readonly place: string; readonly q: string },
  ) => path`/${org}/${project}/issues/${issue}/link/find` + queryOf(search),
  /** All values of one tag of the issue's events. */
  issueTag: (org: string, project: string, issue: string, key: string) =>
    path`/${org}/${project}/issues/${issue}/tags/${key}`,
  performance: (org: string, project: string) => path`/${org}/${project}/performance`,
  /** One route or transaction. */
  transaction: (org: string, project: string, { op, name }: { readonly op: string; readonly name: string }) =>
    path`/${org}/${project}/performance/transaction` + queryOf({ op, name }),
  /** `kind`: queries, requests, assets, caches, queues. */
  insights: (org: string, project: string, kind: string) => path`/${org}/${project}/insights/${kind}`,
  /** One query, host, asset, key or queue. `name` may be empty: spans that say none. */
  insight: (
    org: string,
    project: string,
    kind: string,
    search: {
      readonly name: string
      readonly route?: string | undefined
      readonly peer?: string | undefined
    },
  ) => path`/${org}/${project}/insights/${kind}/detail` + queryOf(search),
  vitals: (org: string, project: string) => path`/${org}/${project}/vitals`,
  hydration: (org: string, project: string) => path`/${org}/${project}/hydration`,
  /** `navigation`: the one whose record is shown. */
  navigations: (org: string, project: string, navigation?: string) =>
    path`/${org}/${project}/navigations` + queryOf({ navigation }),
  /** `query`: as the search field has it. */
  logs: (
    org: string,
    project: string,
    search: { readonly query?: string; readonly statsPeriod?: string } = {},
  ) => path`/${org}/${project}/logs` + queryOf(search),
  /** `metric` with its `type` and `unit`: its chart; none: the list. */
  metrics: (
    org: string,
    project: string,
    search: { readonly metric?: string; readonly type?: string; readonly unit?: string } = {},
  ) => path`/${org}/${project}/metrics` + queryOf(search),
  metricsSuggestions: (org: string, project: string) => path`/${org}/${project}/metrics/suggestions`,
  logsSuggestions: (org: string, project: string) => path`/${org}/${project}/logs/suggestions`,
  /** What people wrote. `shown`: the one that is opened. */
  feedback: (org: string, project: string, shown?: number) =>
    path`/${org}/${project}/feedback` + queryOf({ id: shown?.toString() }),
  /** Session replays. `issue`: only those in which it happened. */
  replays: (
    org: string,
    project: string,
    search: { readonly query?: string; readonly issue?: string; readonly statsPeriod?: string } = {},
  ) => path`/${org}/${project}/replays` + queryOf(search),
  replaysSuggestions: (org: string, project: string) => path`/${org}/${project}/replays/suggestions`,
  /** `t`: the second at which it begins. */
  replay: (org: string, project: string, replay: string, t?: number) =>
    path`/${org}/${project}/replays/${replay}` + queryOf({ t: t?.toString() }),
  /** As JSON: segments from the one with this number. */
  replayRecording: (org: string, project: string, replay: string, from: number) =>
    path`/${org}/${project}/replays/${replay}/recording` + queryOf({ from: String(from) }),
  /** The video of the segment with the number `at`, of a mobile SDK. */
  replayVideo: (org: string, project: string, replay: string, at: number | string) =>
    path`/${org}/${project}/replays/${replay}/videos/${String(at)}`,
  /** The page in which a recording is played. */
  replayFrame: (org: string, project: string, replay: string) =>
    path`/${org}/${project}/replays/${replay}/frame`,
  profiles: (org: string, project: string) => path`/${org}/${project}/profiles`,
  /** Two releases of a transaction, or of all. */
  compareProfiles: (org: string, project: string, transaction?: string) =>
    path`/${org}/${project}/profiles/compare` + queryOf({ transaction }),
  /** Of a transaction, of a chunk, or of a profiler. */
  profile: (org: string, project: string, profile: string) => path`/${org}/${project}/profiles/${profile}`,
  /** Agents, models, tools and conversations, from gen_ai spans. */
  aiAgents: (org: string, project: string) => path`/${org}/${project}/ai-agents`,
  /** By the conversation's id, or by the trace of a run without one. */
  aiConversation: (
    org: string,
    project: string,
    search: { readonly id?: string | undefined; readonly trace?: string | undefined } = {},
  ) => path`/${org}/${project}/ai-agents/conversation` + queryOf(search),
  aiPrices: (org: string, project: string) => path`/${org}/${project}/ai-agents/prices`,
  /** App starts, frames and screens of mobile apps. */
  mobile: (org: string, project: string) => path`/${org}/${project}/mobile`,
  uptime: (org: string, project: string) => path`/${org}/${project}/uptime`,
  newUptime: (org: string, project: string) => path`/${org}/${project}/uptime/new`,
  uptimeMonitor: (
    org: string,
    project: string,
    monitor: number,
    search: { readonly statsPeriod?: string } = {},
  ) => path`/${org}/${project}/uptime/${String(monitor)}` + queryOf(search),
  editUptime: (org: string, project: string, monitor: number) =>
    path`/${org}/${project}/uptime/${String(monitor)}/edit`,
  crons: (org: string, project: string) => path`/${org}/${project}/crons`,
  newCron: (org: string, project: string) => path`/${org}/${project}/crons/new`,
  /** As JSON: what a schedule comes to. */
  cronPreview: (org: string, project: string) => path`/${org}/${project}/crons/preview`,
  /** `before`: where a page of its runs begins. */
  cron: (org: string, project: string, monitor: number, search: { readonly before?: string } = {}) =>
    path`/${org}/${project}/crons/${String(monitor)}` + queryOf(search),
  editCron: (org: string, project: string, monitor: number) =>
    path`/${org}/${project}/crons/${String(monitor)}/edit`,
  releases: (org: string, project: string) => path`/${org}/${project}/releases`,
  release: (org: string, project: string, release: string) =>
    path`/${org}/${project}/releases/${releaseSegment(release)}`,
  /** Undefined: still to be chosen. */
  compareReleases: (org: string, project: string, a?: string, b?: string) =>
    path`/${org}/${project}/releases/compare` + queryOf({ a, b }),
  /** `span`: the one whose details are shown. */
  trace: (org: string, trace: string, span?: string | TraceSearch) =>
    path`/${org}/traces/${trace}` + queryOf(typeof span === 'object' ? span : { span }),
  /** As JSON: everything of one span; which spans have a text; the trace around an error, as its event page shows it. */
  traceSpan: (org: string, trace: string, span: string) => path`/${org}/traces/${trace}/spans/${span}`,
  traceFind: (org: string, trace: string, text: string) =>
    path`/${org}/traces/${trace}/find` + queryOf({ text }),
  traceSummary: (org: string, trace: string, span: string | undefined) =>
    path`/${org}/traces/${trace}/summary` + queryOf({ span }),
  /** Undefined: all of the organization's projects. */
  explore: (
    org: string,
    project: string | undefined,
    search: { readonly query?: string | undefined; readonly view?: 'spans' | undefined } = {},
  ) => (project === undefined ? path`/${org}/explore` : path`/${org}/${project}/explore`) + queryOf(search),
  /** Services, and what asks what. */
  serviceMap: (org: string) => path`/${org}/service-map`,
  exploreSuggestions: (org: string, project: string | undefined) =>
    `${paths.explore(org, project)}/suggestions`,
  /** `q`: the statement, which is run. */
  sql: (org: string, q?: string) => path`/${org}/sql` + queryOf({ q }),
  sqlFile: (org: string) => path`/${org}/sql/download`,
  /** What was uploaded to read stacks with. */
  sourceMaps: (org: string, project: string, search: SourceMapsSearch = {}) =>
    path`/${org}/${project}/source-maps` + queryOf(search),
  /** Rules. */
  alerts: (org: string, project: string) => path`/${org}/${project}/alerts`,
  /** `kind`: `issue` or `metric`. `start`: what the form begins with. */
  newAlert: (
    org: string,
    project: string,
    kind?: string,
    start: Readonly<Record<string, string | undefined>> = {},
  ) => path`/${org}/${project}/alerts/new` + queryOf({ kind, ...start }),
  alertRule: (org: string, project: string, rule: number) => path`/${org}/${project}/alerts/${String(rule)}`,
  /** As JSON: what a rule would have told. */
  alertPreview: (org: string, project: string) => path`/${org}/${project}/alerts/preview`,
  /** `state`: `open`, `resolved`; both unless told. `rule`: only of this one. */
  incidents: (
    org: string,
    project: string,
    search: { readonly state?: string | undefined; readonly rule?: string | undefined } = {},
  ) => path`/${org}/${project}/alerts/incidents` + queryOf(search),
  incident: (org: string, project: string, incident: number) =>
    path`/${org}/${project}/alerts/incidents/${String(incident)}`,
  projectSettings: (org: string, project: string) => path`/${org}/${project}/settings`,
  scrubPreview: (org: string, project: string) => path`/${org}/${project}/settings/scrub-preview`,
  samplingPreview: (org: string, project: string) => path`/${org}/${project}/settings/sampling-preview`,
  groupingSettings: (org: string, project: string) => path`/${org}/${project}/settings/grouping`,
  groupingTrial: (org: string, project: string) => path`/${org}/${project}/settings/grouping/trial`,
  /** `detector`: a type of issue, whose settings are scrolled to. */
  detectors: (org: string, project: string, detector?: string) =>
    path`/${org}/${project}/settings/performance-issues` + (detector === undefined ? '' : `#${detector}`),
  ownership: (org: string, project: string) => path`/${org}/${project}/settings/ownership`,
  ownershipTrial: (org: string, project: string) => path`/${org}/${project}/settings/ownership/trial`,
  testEvent: (org: string, project: string) => path`/${org}/${project}/test-event`,
} as const

function queryOf(params: Readonly<Record<string, string | undefined>>): string {
  const set = Object.entries(params).filter((entry) => entry[1] !== undefined) as [string, string][]
  const pairs = set.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function path(texts: TemplateStringsArray, ...params: readonly string[]): string {
  return texts.reduce((built, text, index) => built + segment(params[index - 1], built) + text)
}

function segment(value: string | undefined, before: string): string {
  if (value === undefined || value === '') throw new Error(`a parameter is missing after ${before}`)
  // A segment of dots would be taken for a step in the tree by every URL parser.
  if (value === '.' || value === '..') throw new Error(`"${value}" cannot be a part of a path`)
  return encodeURIComponent(value)
}

/**
 * Versions are any text. Those that would be another page's segment, or a step in the tree, get a space behind them: no
 * release ends with one, and its page takes it away again.
 */
const releaseSegment = (release: string): string =>
  ['compare', '.', '..'].includes(release) ? `${release} ` : release

/** Undefined and defaults are left out, so that equal lists have equal addresses; order is fixed. */
function searchString(search: IssueListSearch): string {
  const params = new URLSearchParams()
  for (const name of ['query', 'sort', 'statsPeriod', 'start', 'end', 'cursor'] as const) {
    const value = search[name]
    if (value !== undefined && (value !== '' || name === 'query')) params.set(name, value)
  }
  for (const environment of search.environments ?? []) params.append('environment', environment)
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
