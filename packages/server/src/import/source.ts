/** What an import reads, whatever product it comes from. Times are Unix milliseconds. */

export type ForeignProject = {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly platform: string
  readonly teams: readonly string[]
}
export type ForeignKey = { readonly publicKey: string; readonly label: string; readonly isActive: boolean }
export type ForeignTeam = { readonly slug: string; readonly name: string; readonly emails: readonly string[] }
export type ForeignMember = { readonly email: string; readonly role: string }
export type ForeignIssue = {
  readonly id: string
  readonly shortId: string
  readonly title: string
  readonly status: 'unresolved' | 'resolved' | 'ignored'
  /** Of a resolved one: the release that has the fix; `next`: the one after the last. */
  readonly resolvedIn: string | undefined
  readonly isUntilEscalating: boolean
  readonly assignee: { readonly email: string } | { readonly team: string } | undefined
  readonly priority: string | undefined
  readonly firstSeenMs: number | undefined
  readonly count: number
}
export type ForeignComment = {
  readonly id: string
  readonly name: string
  readonly email: string | undefined
  readonly atMs: number
  readonly text: string
}
/** As an SDK would send it. */
export type ForeignEvent = { readonly id: string; readonly payload: Readonly<Record<string, unknown>> }
export type ForeignRelease = {
  readonly version: string
  /** As the API of releases takes it, commits included. */
  readonly body: Readonly<Record<string, unknown>>
  readonly projects: readonly string[]
  readonly deploys: readonly Readonly<Record<string, unknown>>[]
}
export type ForeignSearch = {
  readonly id: string
  readonly name: string
  readonly query: string
  readonly sort: string
}
/** In Sentry's words. */
export type ForeignRule = {
  readonly id: string
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Told of a whole kind that there is none of, and why. */
export type Missing = (kind: string, why: string) => void

/** Nothing of it is remembered: what was read once may be read again. */
export type ImportSource = {
  readonly product: string
  /** Whose projects they are, for people. */
  organization(): Promise<{ readonly name: string }>
  teams(missing: Missing): AsyncIterable<ForeignTeam>
  members(missing: Missing): AsyncIterable<ForeignMember>
  projects(): AsyncIterable<ForeignProject>
  keys(project: ForeignProject, missing: Missing): AsyncIterable<ForeignKey>
  issues(project: ForeignProject): AsyncIterable<ForeignIssue>
  comments(issue: ForeignIssue, missing: Missing): AsyncIterable<ForeignComment>
  /** The newest first. */
  events(project: ForeignProject, issue: ForeignIssue): AsyncIterable<ForeignEvent>
  releases(missing: Missing): AsyncIterable<ForeignRelease>
  searches(missing: Missing): AsyncIterable<ForeignSearch>
  issueRules(project: ForeignProject, missing: Missing): AsyncIterable<ForeignRule>
  metricRules(missing: Missing): AsyncIterable<ForeignRule>
}
