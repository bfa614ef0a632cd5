/** What each entry of an issue's activity says, so that no words of it stand in the scripts of the page. */
import type { IssueActivity } from '@sonde/queries'
import { paths } from '../../../../../paths.ts'

export type ActivityWords = {
  readonly text: string
  /** Said behind the text. */
  readonly link?: { readonly href: string; readonly text: string; readonly isExternal: boolean }
}

type Place = { readonly org: string; readonly project: string }
type Said = Pick<IssueActivity, 'kind' | 'isFromTracker' | 'detail'>

export function activityWords({ kind, isFromTracker, detail }: Said, { org, project }: Place): ActivityWords {
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
      return { text: `Ignored${condition(detail.stored)}` }
    case 'assigned':
      return { text: detail.assignee === '' ? 'Assigned' : `Assigned to ${detail.assignee}` }
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
        text: `Rule “${detail.rule}” told ${toldWhom(detail)}:`,
        link: {
          href: paths.incident(org, project, Math.max(1, detail.incidentId)),
          text: 'incident',
          isExternal: false,
        },
      }
  }
}

function toldWhom({ people, channels }: IssueActivity['detail']): string {
  const told = [
    ...(people === 0 ? [] : [people === 1 ? '1 person' : `${people} people`]),
    ...channels.slice(0, 3),
    ...(channels.length > 3 ? [`${channels.length - 3} more channels`] : []),
  ]
  return told.join(', ')
}

/** Until when it is hidden, as the change says it. */
function condition(stored: Readonly<Record<string, unknown>>): string {
  const { untilMs, count, userCount, windowMinutes, untilEscalating } = stored
  const number = (value: unknown): number => (typeof value === 'number' ? value : 0)
  const within = number(windowMinutes) > 0 ? ` within ${number(windowMinutes)} minutes` : ''
  if (number(untilMs) > 0)
    return ` until ${new Date(number(untilMs)).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  if (number(count) > 0) return ` until ${number(count)} more events come${within}`
  if (number(userCount) > 0) return ` until ${number(userCount)} more users have it${within}`
  return untilEscalating === true ? ' until it escalates' : ''
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
