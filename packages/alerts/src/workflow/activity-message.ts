/** What people are told of what others did about issues, in the words of one change or of many. Pure. */
import type { ActivityKind } from '@sonde/stores'
import type { IssueFacts } from '../issues/incidents.ts'
import type { Message, MessageKind } from '../messages/message.ts'
import type { ConcernReason } from './concerned.ts'

/** Of all others the screens tell alone. */
const TOLD_KINDS = [
  'comment',
  'assigned',
  'unassigned',
  'resolved',
  'reopened',
  'ignored',
  'regressed',
  'escalating',
] as const satisfies readonly ActivityKind[]
export type ToldKind = (typeof TOLD_KINDS)[number]

export const isTold = (kind: ActivityKind): kind is ToldKind =>
  (TOLD_KINDS as readonly ActivityKind[]).includes(kind)

/** One change, ready to be said. */
export type Said = {
  readonly id: number
  readonly kind: ToldKind
  readonly atMs: number
  readonly issue: IssueFacts
  /** For people. Empty: an event did it. */
  readonly by: string
  /** Of `assigned`: `user:ID` or `team:ID`, and for people. */
  readonly assignee: string
  readonly assigneeName: string
  /** Whoever did it took it. */
  readonly isOwnAssignment: boolean
  /** Of `resolved`: in which release; empty: not said. */
  readonly release: string
  /** Of a comment: Markdown as it was typed. */
  readonly text: string
}

const REASONS: Readonly<Record<ConcernReason, string>> = {
  mentioned: 'you were mentioned',
  team_mentioned: 'a team of yours was mentioned',
  assigned: 'the issue is assigned to you',
  team_assigned: 'the issue is assigned to a team of yours',
  comment: 'you commented on the issue',
  changed_status: 'you changed the state of the issue',
  bookmark: 'you bookmarked the issue',
  unknown: 'you subscribed to the issue',
}

type For = { readonly userId: string; readonly reason: ConcernReason; readonly publicUrl: string }

const QUOTE_CHARS = 2_000
const SHOWN_PARTS = 10

/** `Ada resolved an issue`; what nobody did, as ownership does: `An issue was assigned`. */
function didTo(by: string, verb: string, count: number): string {
  const issues = count === 1 ? 'an issue' : `${count} issues`
  if (by !== '') return `${by} ${verb} ${issues}`
  return count === 1 ? `An issue was ${verb}` : `${issues} were ${verb}`
}

/** `Ada mentioned you`. */
function didWhat(said: Said, { userId, reason }: For): string {
  const { kind, by, assignee, assigneeName, isOwnAssignment, release } = said
  switch (kind) {
    case 'comment': {
      const who = by || 'Somebody'
      if (reason === 'mentioned') return `${who} mentioned you`
      return reason === 'team_mentioned' ? `${who} mentioned your team` : `${who} commented`
    }
    case 'assigned': {
      const whom = assignee === `user:${userId}` ? 'you' : isOwnAssignment ? 'themselves' : assigneeName
      return `${didTo(by, 'assigned', 1)} to ${whom}`
    }
    case 'resolved':
      return `${didTo(by, 'resolved', 1)}${release === '' ? '' : ` in ${release}`}`
    case 'regressed':
      return 'An issue came back'
    case 'escalating':
      return 'An issue is escalating'
    default:
      return didTo(by, kind, 1)
  }
}

/** Of two changes and more, by the same one: `Ada resolved 500 issues`. */
function didMany(kind: Exclude<ToldKind, 'comment'>, by: string, count: number): string {
  if (kind === 'regressed') return `${count} issues came back`
  return kind === 'escalating' ? `${count} issues are escalating` : didTo(by, kind, count)
}

const KINDS: Readonly<Record<ToldKind, MessageKind>> = {
  comment: 'comment',
  assigned: 'assigned',
  unassigned: 'unassigned',
  resolved: 'resolved',
  reopened: 'reopened',
  ignored: 'ignored',
  regressed: 'regressed',
  escalating: 'escalating',
}

const pathOf = ({ org_slug, project_slug, short_number }: IssueFacts): string =>
  `/${org_slug}/${project_slug}/issues/${project_slug.toUpperCase()}-${short_number}`

export function messageOfChange(said: Said, person: For): Message {
  const { id, kind, issue, text } = said
  const isComment = kind === 'comment'
  const { org_slug: org, project_slug: project } = issue
  const at = `${person.publicUrl}${pathOf(issue)}`
  return {
    kind: KINDS[kind],
    headline: `${didWhat(said, person)} in ${org}/${project}`,
    title: issue.title,
    place: issue.culprit,
    level: issue.level,
    facts: [],
    url: isComment ? `${at}/activity?from=${id}#comment-${id}` : at,
    org,
    project,
    issue: { id: issue.issue_id, shortId: `${project.toUpperCase()}-${issue.short_number}` },
    atMs: said.atMs,
    reason: REASONS[person.reason],
    ...(isComment && {
      commentId: id,
      quote: text.length > QUOTE_CHARS ? `${text.slice(0, QUOTE_CHARS)}…` : text,
    }),
  }
}

/** `changes`: two at least, of one organization and one kind, by one. */
export function messageOfMany(changes: readonly Said[], person: For): Message | undefined {
  const [first] = changes
  if (!first || first.kind === 'comment') return undefined
  const { org_slug: org } = first.issue
  const projects = [...new Set(changes.map(({ issue }) => issue.project_slug))]
  const [only = ''] = projects
  const isOfOne = projects.length === 1
  const headline = didMany(first.kind, first.by, changes.length)
  const where = isOfOne ? `${org}/${only}` : `${projects.length} projects of ${org}`
  return {
    kind: 'activity',
    headline: `${headline} in ${where}`,
    title: changes
      .slice(0, 3)
      .map(({ issue }) => issue.title)
      .join(', '),
    place: '',
    level: first.issue.level,
    facts: [],
    url: `${person.publicUrl}/${org}/${isOfOne ? `${only}/` : ''}issues?query=`,
    org,
    project: isOfOne ? only : '',
    atMs: first.atMs,
    reason: 'you are subscribed to these issues',
    parts: changes.slice(0, SHOWN_PARTS).map((said) => ({
      headline,
      title: said.issue.title,
      url: `${person.publicUrl}${pathOf(said.issue)}`,
    })),
    count: changes.length,
  }
}
