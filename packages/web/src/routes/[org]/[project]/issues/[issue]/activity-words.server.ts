/** What each entry of an issue's activity says, so that no words of it stand in the scripts of the page. */
import type { IssueActivity } from '@sonde/queries'
import { paths } from '../../../../../paths.ts'

export type ActivityWords = {
  readonly text: string
  /** Said behind the text. */
  readonly link?: { readonly href: string; readonly text: string; readonly isExternal: boolean }
}

type Place = { readonly org: string; readonly project: string }
type Said = Pick<IssueActivity, 'kind' | 'atMs' | 'actor' | 'isFromTracker' | 'detail'>

export function activityWords(
  { kind, atMs, actor, isFromTracker, detail }: Said,
  { org, project }: Place,
): ActivityWords {
  const release = (text: string): ActivityWords =>
    detail.release === ''
      ? { text }
      : {
          text: `${text} in${detail.resolvedIn === 'next_release' ? ' the next release after' : ''}`,
          link: {
            href: paths.release(org, project, detail.release),
            text: detail.release,
            isExternal: false,
          },
        }
  switch (kind) {
    case 'new':
      return release('First seen')
    case 'regressed':
      return release('Came back')
    case 'resolved':
      return isFromTracker ? { text: 'Closed in' } : release('Resolved')
    case 'reopened':
      return { text: isFromTracker ? 'Opened again in' : 'Reopened' }
    case 'ignored':
      return { text: `Ignored${condition(detail.stored, atMs)}` }
    case 'assigned':
      return { text: assignedWords(actor, detail) }
    case 'unassigned':
      return { text: 'Unassigned' }
    case 'priority_changed':
      return { text: detail.priority === '' ? 'Priority changed' : `Priority set to ${detail.priority}` }
    case 'escalating':
      return { text: 'Escalating: more events than usual' }
    case 'comment':
      return { text: 'Comment' }
    case 'merged':
      return { text: `${mergedNames(detail.stored, project) || 'Another issue'} merged into this one` }
    case 'unmerged':
      return splitWords(detail.stored, project)
    case 'reprocessed':
      return { text: 'Events read again with source maps' }
    case 'shared':
      return { text: 'Shared by a public link' }
    case 'unshared':
      return { text: 'Public link ended' }
    case 'linked':
    case 'unlinked':
      return {
        text: kind === 'linked' ? 'Linked' : 'Link ended:',
        ...(/^https?:\/\//.test(detail.url)
          ? { link: { href: detail.url, text: detail.key, isExternal: true } }
          : { text: `${kind === 'linked' ? 'Linked' : 'Link ended:'} ${detail.key}` }),
      }
    default:
      return {
        text: `Notified ${notifiedOf(detail)} by the alert rule`,
        link: {
          href: paths.incident(org, project, Math.max(1, detail.incidentId)),
          text: detail.rule,
          isExternal: false,
        },
      }
  }
}

/** To whom, and what of the ownership says so. */
function assignedWords(actor: string, { assignee, stored }: IssueActivity['detail']): string {
  if (actor !== '' && stored['assignee'] === actor) return 'Self-assigned'
  const text = assignee === '' ? 'Assigned' : `Assigned to ${assignee}`
  const { by, rule } = stored
  if (by === 'suspect_commit') return `${text}, who wrote a suspect commit`
  if (typeof rule !== 'string') return text
  return `${text} by ${by === 'codeowners' ? 'CODEOWNERS' : 'the ownership rule'} “${rule}”`
}

function notifiedOf({ people, channels }: IssueActivity['detail']): string {
  const told = [
    ...(people === 0 ? [] : [people === 1 ? '1 person' : `${people} people`]),
    ...channels.slice(0, 3),
    ...(channels.length > 3 ? [`${channels.length - 3} more channels`] : []),
  ]
  return told.join(', ')
}

/** Until when it is hidden, as the change says it: any of them brings it back. */
function condition({ archive }: Stored, atMs: number): string {
  const said = (archive ?? {}) as Stored
  const number = (name: string): number => (typeof said[name] === 'number' ? said[name] : 0)
  const within = (minutes: number): string => (minutes > 0 ? ` within ${minutes} minutes` : '')
  const untilMs = number('untilMs') || (number('minutes') > 0 ? atMs + number('minutes') * 60_000 : 0)
  const conditions = [
    untilMs > 0 && `${new Date(untilMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    number('events') > 0 && `${number('events')} more events come${within(number('eventMinutes'))}`,
    number('users') > 0 && `${number('users')} more users have it${within(number('userMinutes'))}`,
    said['isUntilEscalating'] === true && 'it escalates',
  ].filter((text) => text !== false)
  return conditions.length === 0 ? '' : ` until ${conditions.join(' or ')}`
}

type Stored = Readonly<Record<string, unknown>>

const shortIdOf = (issue: unknown, project: string): string | undefined => {
  const { shortNumber } = (issue ?? {}) as { readonly shortNumber?: unknown }
  return typeof shortNumber === 'number' ? `${project.toUpperCase()}-${shortNumber}` : undefined
}

const MERGED_NAMED = 10

function mergedNames({ issues }: Stored, project: string): string {
  const names = Array.isArray(issues) ? issues.flatMap((issue) => shortIdOf(issue, project) ?? []) : []
  const more = names.length - MERGED_NAMED
  return names.slice(0, MERGED_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Of both issues: what was split off, and what it was split off from. */
function splitWords({ to, from, isBack }: Stored, project: string): ActivityWords {
  const [into, of] = [shortIdOf(to, project), shortIdOf(from, project)]
  const word = isBack === true ? 'Unmerged' : 'Split off'
  if (into !== undefined) return { text: `${word}: ${into}` }
  return { text: of === undefined ? word : `${word} from ${of}` }
}
