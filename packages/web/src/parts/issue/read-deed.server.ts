/** What one press on the screens of issues asks for, from the form that it posts: the lists and the screen of one issue alike. */
import type { Grant } from '@sonde/access'
import {
  type Archive,
  InvalidInput,
  type IssuesChange,
  type Marks,
  PRIORITY_CHOICES,
  undoIssues,
  type UndoIssuesInput,
} from '@sonde/commands'
import { assigneeChoices } from '@sonde/queries'
import { type ActionArgs, httpError } from '@sonde/router/server'
import type { AppContext } from '../../server/app-context.server.ts'
import { readZonedTime } from '../forms/zoned-time.server.ts'
import { isShownStatus, STATUS_DEEDS } from './shown-status.ts'

type WriteGrant = Grant<'event:write', 'org' | 'project'>

export type Changed = {
  readonly kind: 'changed'
  /** `resolved`, `assigned to Ada`. */
  readonly done: string
  readonly count: number
  /** What the form that takes it back posts as `undo`. */
  readonly undo?: string
}
export type Undone = { readonly kind: 'undone'; readonly count: number }
/** Why nothing was changed. */
export type Refused = { readonly kind: 'refused'; readonly refused: string }

export type RequestedDeed = {
  readonly change: IssuesChange
  /** `Resolve`, or `Assign` and `to Ada`: for the question before a change of all that match. */
  readonly verb: string
  readonly suffix?: string
  readonly done: string
  /** What the form that confirms it posts again. */
  readonly fields: Readonly<Record<string, string>>
}

/** Answers 400 to a form that is none of ours. */
export async function readDeed(
  { context }: Pick<ActionArgs<AppContext>, 'context'>,
  grant: WriteGrant,
  form: FormData,
): Promise<RequestedDeed> {
  const text = (name: string): string | undefined => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : undefined
  }
  const until = text('until')
  const status = until === undefined ? text('status') : 'ignored'
  if (until !== undefined) return archiveDeed(context, until, text)
  if (isShownStatus(status))
    return { change: { state: { status } }, ...STATUS_DEEDS[status], fields: { status } }
  const marked = readMark(text)
  if (marked) return marked
  const posted = text('assignee')
  if (posted === undefined) return httpError(400)
  const assignee = posted === 'typed' ? (text('assignTo') ?? '') : posted === 'none' ? '' : posted
  const fields = { assignee: assignee || 'none' }
  if (assignee === '') return { change: { assignee }, verb: 'Unassign', done: 'unassigned', fields }
  const choices = await assigneeChoices(context.queries, grant)
  const known = choices.find(
    ({ value, name, hint, isMe }) => [value, name, hint].includes(assignee) || (isMe && assignee === 'me'),
  )
  const whom = known?.isMe ? 'you' : (known?.name ?? assignee)
  const suffix = `to ${whom}`
  return { change: { assignee }, verb: 'Assign', suffix, done: `assigned ${suffix}`, fields }
}

type Read = (name: string) => string | undefined

/** What is archived until when: `minutes:30`, `escalating`, or `date` or `count` with the fields beside it. */
function archiveDeed(context: AppContext, until: string, text: Read): RequestedDeed {
  const archive = archiveOf(context, until, text) ?? httpError(400)
  const fields = Object.fromEntries(
    ['until', 'untilAt', 'untilAtZone', 'untilCount', 'untilOf', 'untilWithin'].flatMap((name) => {
      const value = text(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  return {
    change: { state: { status: 'ignored', archive } },
    verb: 'Ignore',
    suffix: 'until then',
    done: 'ignored until it is time',
    fields,
  }
}

function archiveOf({ clock, viewer }: AppContext, until: string, text: Read): Archive | undefined {
  if (until === 'escalating') return { isUntilEscalating: true }
  const [, minutes] = /^minutes:(\d{1,6})$/.exec(until) ?? []
  if (minutes !== undefined) return { minutes: Number(minutes) }
  if (until === 'date') {
    const untilMs = readZonedTime({ at: text('untilAt') ?? '', zone: text('untilAtZone') ?? '' }, viewer)
    if (untilMs !== undefined && untilMs > clock.nowMs()) return { untilMs }
    throw new InvalidInput('ignore issues', { until: ['Choose a date and a time that are still to come'] })
  }
  if (until !== 'count') return undefined
  const [count, within = ''] = [Number(text('untilCount')), text('untilWithin')]
  const window = within === '' ? undefined : Number(within)
  return text('untilOf') === 'users'
    ? { users: count, userMinutes: window }
    : { events: count, eventMinutes: window }
}

const MARKS: Readonly<
  Record<
    string,
    { readonly marks: Marks; readonly verb: string; readonly suffix?: string; readonly done: string }
  >
> = {
  'review 1': {
    marks: { isReviewed: true },
    verb: 'Mark',
    suffix: 'as reviewed',
    done: 'marked as reviewed',
  },
  'bookmark 1': { marks: { isBookmarked: true }, verb: 'Bookmark', done: 'bookmarked' },
  'bookmark 0': {
    marks: { isBookmarked: false },
    verb: 'Remove',
    suffix: 'from your bookmarks',
    done: 'removed from your bookmarks',
  },
  'subscribe 1': { marks: { isSubscribed: true }, verb: 'Subscribe to', done: 'subscribed to' },
  'subscribe 0': { marks: { isSubscribed: false }, verb: 'Unsubscribe from', done: 'unsubscribed from' },
  'seen 1': { marks: { hasSeen: true }, verb: 'Mark', suffix: 'as seen', done: 'marked as seen' },
}

function readMark(text: Read): RequestedDeed | undefined {
  const priority = PRIORITY_CHOICES.find((choice) => choice === text('priority'))
  if (priority) {
    const suffix = priority === 'rule' ? 'to the priority by the rule' : `to ${priority} priority`
    return { change: { priority }, verb: 'Set', suffix, done: `set ${suffix}`, fields: { priority } }
  }
  for (const name of ['review', 'bookmark', 'subscribe', 'seen']) {
    const value = text(name)
    if (value === undefined) continue
    const { marks, ...words } = MARKS[`${name} ${value}`] ?? httpError(400)
    return { change: { marks }, ...words, fields: { [name]: value } }
  }
  return undefined
}

const OWN_MARKS = ['bookmark', 'subscribe', 'seen'] as const

/** A form that changes nothing for others: whoever may read the issue may post it. Undefined: it asks for something else. */
export function readOwnMarks(
  form: FormData,
): { readonly marks: Omit<Marks, 'isReviewed'>; readonly done: string } | undefined {
  const [name, ...others] = form.keys()
  if (others.length > 0 || !OWN_MARKS.some((own) => own === name)) return undefined
  const value = form.get(name ?? '')
  const { marks, done } = MARKS[`${name} ${typeof value === 'string' ? value : ''}`] ?? httpError(400)
  return { marks, done }
}

export const changed = (done: string, count: number, undo: string | undefined): Changed => ({
  kind: 'changed',
  done,
  count,
  ...(undo === undefined ? {} : { undo }),
})

/** What was changed can be taken back. */
export async function undoChange(
  args: ActionArgs<AppContext, 'org'>,
  grant: WriteGrant,
  input: UndoIssuesInput,
): Promise<Undone> {
  try {
    return { kind: 'undone', ...(await undoIssues(args.context.commands, grant, input)) }
  } catch (error) {
    if (error instanceof InvalidInput) return httpError(400)
    throw error
  }
}

/** The first reason of a refusal, for people. Throws what is none. */
export function refusedBy(error: unknown): Refused {
  const [refused] = error instanceof InvalidInput ? Object.values(error.fields).flat() : []
  if (refused === undefined) throw error
  return { kind: 'refused', refused }
}
