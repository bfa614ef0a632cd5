/** What a trial of grouping rules says: which issues stay, merge, split, and which rules matched. */
import type { GroupingTrial } from '@sonde/queries'

export const MAX_TRIED_EVENTS = 200

export type TrialPage = GroupingTrial & {
  /** A move between versions keeps issues: new hashes are attached to them for a while. */
  readonly keepsIssues: boolean
}
export type TrialAnswer = TrialPage | { readonly fields: Readonly<Record<string, readonly string[]>> }

type Issue = TrialPage['issues'][number]
type Tried = TrialPage['events'][number]

export function addPage(before: TrialPage | undefined, page: TrialPage): TrialPage {
  if (!before) return page
  const issues = new Map([...before.issues, ...page.issues].map((issue) => [issue.id, issue]))
  return {
    ...page,
    events: [...before.events, ...page.events],
    issues: [...issues.values()],
    owners: { ...before.owners, ...page.owners },
  }
}

/** Events that would be in one issue. */
export type Target = {
  readonly hash: string
  readonly title: string
  readonly fingerprint: string
  readonly rule: string | undefined
  readonly events: number
  /** The issue that has the hash; undefined: there would be a new one. */
  readonly owner: Issue | undefined
}

export type TrialSummary = {
  readonly tried: number
  /** Events whose grouping is another. */
  readonly changed: number
  readonly changedFrames: number
  /** Several issues → one. */
  readonly merges: readonly { readonly into: Target; readonly issues: readonly Issue[] }[]
  /** One issue → several. */
  readonly splits: readonly { readonly issue: Issue; readonly into: readonly Target[] }[]
  /** One issue → another that is new: its next events would not be in it. */
  readonly moves: readonly { readonly issue: Issue; readonly into: Target }[]
  readonly rules: readonly {
    readonly rule: string
    readonly events: number
    readonly fingerprints: readonly string[]
  }[]
}

const MAX_FINGERPRINTS = 3

export function summarize({ events, issues, owners, keepsIssues }: TrialPage): TrialSummary {
  const byId = new Map(issues.map((issue) => [issue.id, issue]))
  const issueOf = (id: number): Issue => byId.get(id) ?? { id, shortId: String(id), title: '' }
  /** Issues that have one hash are one, whatever the hash. */
  const keyOf = ({ now }: Tried): string => {
    const owner = owners[now.hash]
    return owner === undefined ? now.hash : `#${owner}`
  }
  const byTarget = Map.groupBy(events, keyOf)
  const targetOf = (list: readonly Tried[]): Target => {
    const { now } = list[0] as Tried
    const owner = owners[now.hash]
    const { hash, title, fingerprint, rule } = now
    return {
      hash,
      title,
      fingerprint,
      rule,
      events: list.length,
      owner: owner === undefined ? undefined : issueOf(owner),
    }
  }
  const isChanged = ({ before, now }: Tried): boolean => before.hash !== now.hash
  const merges = [...byTarget].flatMap(([, list]) => {
    const owner = owners[(list[0] as Tried).now.hash]
    const ids = new Set([...list.map(({ issueId }) => issueId), ...(owner === undefined ? [] : [owner])])
    return ids.size > 1 && list.some(isChanged)
      ? [{ into: targetOf(list), issues: [...ids].map(issueOf) }]
      : []
  })
  const splits: { issue: Issue; into: Target[] }[] = []
  const moves: { issue: Issue; into: Target }[] = []
  for (const [issueId, own] of Map.groupBy(events, ({ issueId: id }) => id)) {
    if (!own.some(isChanged)) continue
    const issue = issueOf(issueId)
    const into = [...Map.groupBy(own, keyOf).values()].map(targetOf)
    // What people merged stays together when a version changes: each of its hashes leads to it.
    const isSplit = keepsIssues
      ? [...Map.groupBy(own, ({ before }) => before.hash).values()].some(
          (list) => new Set(list.map(keyOf)).size > 1,
        )
      : into.length > 1
    const [only] = into
    if (isSplit) splits.push({ issue, into })
    else if (!keepsIssues && only && !only.owner) moves.push({ issue, into: only })
  }
  return {
    tried: events.length,
    changed: events.filter(isChanged).length,
    changedFrames: events.reduce((sum, { now }) => sum + now.changedFrames, 0),
    merges,
    splits,
    moves,
    rules: rulesOf(events),
  }
}

function rulesOf(events: readonly Tried[]): TrialSummary['rules'] {
  const matched = Map.groupBy(
    events.filter(({ now }) => now.rule !== undefined),
    ({ now }) => now.rule ?? '',
  )
  return [...matched]
    .map(([rule, list]) => ({
      rule,
      events: list.length,
      fingerprints: [...new Set(list.map(({ now }) => now.fingerprint))].slice(0, MAX_FINGERPRINTS),
    }))
    .toSorted((a, b) => b.events - a.events)
}
