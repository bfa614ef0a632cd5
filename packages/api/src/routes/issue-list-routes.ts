/** Issues of a project or an organization: reading, and changing many at once. */
import {
  type Archive,
  changeIssues,
  deleteIssues,
  InvalidInput,
  type IssuesChange,
  markOwn,
  type Marks,
  MAX_UNDO_CHARS,
  mergeIssues,
  OPEN_SUBSTATUSES,
  type PriorityChoice,
  type Resolution,
  undoIssues,
  type UpdateIssuesInput,
} from '@sonde/commands'
import { issueOwners, listIssues, matchingIssueIds, MAX_HITS, type StoredOwner } from '@sonde/queries'
import { z } from 'zod'
import { type ApiOptions, grantOfPath } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { API_BODY_BYTES, fieldsOf, type JsonBody } from '../json-body.ts'
import { withStatus } from '../operation.ts'
import { setLink } from '../pages.ts'
import { ISSUES, issuesOf, texts } from '../query-schemas.ts'
import { inboxJson, IssueInList, issueListJson } from '../serializers/issue.ts'
import { takenByName } from '../taken.ts'
import { OWNER_TYPES } from './ownership-routes.ts'

// The states that clients of Sentry's API send.

/** `muted` is what sentry-cli 2 calls `ignored`. */
const STATUSES: ReadonlyMap<string, UpdateIssuesInput['status']> = new Map([
  ['resolved', 'resolved'],
  ['resolvedInNextRelease', 'resolved'],
  ['ignored', 'ignored'],
  ['muted', 'ignored'],
  ['archived', 'ignored'],
  ['unresolved', 'unresolved'],
])

/** Undefined when the body asks for no change of state. An unknown one goes to the command, which says what is allowed. */
function statusFrom(body: JsonBody): UpdateIssuesInput['status'] | undefined {
  const text = body.text('status')
  return text === undefined ? undefined : (STATUSES.get(text) ?? (text as UpdateIssuesInput['status']))
}

/** `substatus` of a change to unresolved, as an answer said it: what was changed by mistake can be put back exactly. */
function substatusFrom(body: JsonBody): UpdateIssuesInput['substatus'] {
  if (statusFrom(body) !== 'unresolved') return undefined
  return OPEN_SUBSTATUSES.find((known) => known === body.text('substatus'))
}

/**
 * `statusDetails` of a change to resolved: `{inRelease: "1.0" or "latest"}`, `{inNextRelease: true}`,
 * `{inCommit: {commit, repository}}`. Undefined: resolved at once. Throws `InvalidInput` for what is none of these.
 */
function resolutionFrom(body: JsonBody): Resolution | undefined {
  if (body.text('status') === 'resolvedInNextRelease') return { kind: 'next_release' }
  const details = new Map(Object.entries(body.value('statusDetails') ?? {}) as [string, unknown][])
  const version = details.get('inRelease')
  if (typeof version === 'string') return { kind: 'release', version }
  if (details.get('inNextRelease') === true || details.get('inUpcomingRelease') === true)
    return { kind: 'next_release' }
  const inCommit = details.get('inCommit')
  if (inCommit === undefined && version === undefined) return undefined
  const { commit: sha, repository } = (inCommit ?? {}) as Record<string, unknown>
  if (typeof sha !== 'string')
    throw new InvalidInput('resolve issues', { statusDetails: ['names no release and no commit'] })
  return { kind: 'commit', sha, ...(typeof repository === 'string' && { repository }) }
}

/** All that a body may say about issues. Throws `InvalidInput`. */
export function changeFrom(body: JsonBody): IssuesChange {
  const status = statusFrom(body)
  const [resolution, archive, substatus] = [resolutionFrom(body), archiveFrom(body), substatusFrom(body)]
  const priority = body.text('priority')
  return {
    state: status && { status, resolution, archive, substatus },
    assignee: assigneeFrom(body),
    // What is none, the command refuses.
    priority: priority as PriorityChoice | undefined,
    marks: marksFrom(body),
  }
}

/** `inbox: false` is a review; nothing puts an issue back into the inbox but what happens to it. */
function marksFrom(body: JsonBody): Marks | undefined {
  const marks: Marks = {
    isReviewed: body.flag('inbox') === false ? true : undefined,
    isBookmarked: body.flag('isBookmarked'),
    isSubscribed: body.flag('isSubscribed'),
    hasSeen: body.flag('hasSeen'),
  }
  return Object.values(marks).some((mark) => mark !== undefined) ? marks : undefined
}

/**
 * `statusDetails` of a change to ignored: `ignoreDuration` and windows in minutes, `ignoreUntil` a time, `ignoreCount`,
 * `ignoreUserCount`; or the substatus `archived_until_escalating`. Undefined: until somebody reopens it.
 */
function archiveFrom(body: JsonBody): Archive | undefined {
  if (statusFrom(body) !== 'ignored') return undefined
  const details = new Map(Object.entries(body.value('statusDetails') ?? {}) as [string, unknown][])
  const number = (name: string): number | undefined => {
    const value = details.get(name) ?? body.value(name)
    if (value === undefined || value === null || typeof value === 'number') return value ?? undefined
    throw new InvalidInput('update issues', { statusDetails: [`${name} is a number`] })
  }
  const until = details.get('ignoreUntil')
  const untilMs = typeof until === 'string' ? Date.parse(until) : undefined
  if (Number.isNaN(untilMs))
    throw new InvalidInput('update issues', {
      statusDetails: ['ignoreUntil is a time like 2026-01-31T10:00:00Z'],
    })
  const isUntilEscalating = body.text('substatus') === 'archived_until_escalating' || undefined
  const archive: Archive = {
    untilMs,
    minutes: number('ignoreDuration'),
    events: number('ignoreCount'),
    eventMinutes: number('ignoreWindow'),
    users: number('ignoreUserCount'),
    userMinutes: number('ignoreUserWindow'),
    isUntilEscalating,
  }
  return Object.values(archive).some((value) => value !== undefined) ? archive : undefined
}

/** `assignedTo`: a text as `assignIssues` takes it; null and the empty text: nobody. Undefined: it stays. */
function assigneeFrom(body: JsonBody): string | undefined {
  const value = body.value('assignedTo')
  if (value === undefined || typeof value === 'string') return value
  if (value === null) return ''
  // What an answer said, sent back.
  const [type, id] = typeof value === 'object' ? ['type', 'id'].map((name) => Reflect.get(value, name)) : []
  if ((type === 'user' || type === 'team') && typeof id === 'string') return `${type}:${id}`
  throw new InvalidInput('update issues', {
    assignedTo: ['is user:ID, team:ID, an address, #team, me, or empty'],
  })
}

const count = (description: string) => z.number().nullish().meta({ description })
const StatusChange = takenByName(
  z.looseObject({
    inRelease: z.string().optional().meta({ description: 'A version, or `latest`.' }),
    inNextRelease: z.boolean().optional(),
    inUpcomingRelease: z.boolean().optional().meta({ description: 'The same.' }),
    inCommit: z.object({ commit: z.string(), repository: z.string().optional() }).optional(),
    ignoreDuration: count('Minutes.'),
    ignoreUntil: z.string().nullish().meta({ description: 'ISO 8601.' }),
    ignoreCount: count('Until so many more events came.'),
    ignoreWindow: count('Within so many minutes.'),
    ignoreUserCount: count('Until so many more users met it.'),
    ignoreUserWindow: count('Within so many minutes.'),
  }),
  'Of resolved: where; of ignored: until when. It is answered as it was sent.',
)

/** All that a body may say about issues. */
const IssueFields = z.object({
  status: z
    .string()
    .optional()
    .meta({ description: '`resolved`, `resolvedInNextRelease`, `ignored` or `unresolved`.' }),
  statusDetails: StatusChange.optional(),
  substatus: z
    .string()
    .optional()
    .meta({ description: '`archived_until_escalating`, or one that an answer said.' }),
  ignoreDuration: z.number().optional(),
  ignoreCount: z.number().optional(),
  ignoreWindow: z.number().optional(),
  ignoreUserCount: z.number().optional(),
  ignoreUserWindow: z.number().optional(),
  assignedTo: z
    .union(
      [z.string(), z.object({ type: z.enum(['user', 'team']), id: z.string() }), z.null()],
      'is user:ID, team:ID, an address, #team, me, or empty',
    )
    .optional(),
  priority: z.string().optional().meta({ description: '`high`, `medium` or `low`.' }),
  inbox: z.boolean().optional().meta({ description: 'False: it was reviewed.' }),
  isBookmarked: z.boolean().optional(),
  isSubscribed: z.boolean().optional(),
  hasSeen: z.boolean().optional(),
  discard: z
    .boolean()
    .optional()
    .meta({ description: 'True deletes them and drops what would come like them.' }),
  undo: z.string().optional().meta({ description: 'Of an answer; sent alone it takes that change back.' }),
})

const ManyFields = IssueFields.extend({
  merge: z
    .union([z.literal(1), z.literal('1'), z.boolean()])
    .optional()
    .meta({ description: '1 makes those that `id` names one.' }),
})

export const OneFields = IssueFields.extend({
  isPublic: z.boolean().optional().meta({ description: 'Whether there is a link for everybody.' }),
})

/** An undo names each issue that it gives back, so it may be long. */
export const ISSUE_BODY_BYTES = MAX_UNDO_CHARS + API_BODY_BYTES.json

/** What they are now, by the names of what was asked. */
const Changed = z
  .object({
    status: z.string(),
    statusDetails: StatusChange,
    assignedTo: z.string().nullable(),
    priority: z.string(),
    inbox: z.null(),
    isBookmarked: z.boolean(),
    isSubscribed: z.boolean(),
    hasSeen: z.boolean(),
    merge: z.object({ parent: z.string(), children: z.array(z.string()) }),
    count: z.int().meta({ description: 'How many there were.' }),
    isComplete: z.boolean().meta({ description: 'False: the same again changes the rest.' }),
    undo: z
      .string()
      .nullable()
      .meta({ description: 'Sent alone to the same path it takes the change back.' }),
  })
  .partial()
  .meta({ id: 'IssuesChanged' })

const namedIds = texts('Ids of issues; without any, all that `query` matches.')

export function issueListRoutes(api: Api, options: ApiOptions): void {
  const { queries, commands, publicUrl } = options
  for (const path of ['/organizations/:org/issues', '/projects/:org/:project/issues'] as const) {
    api.get(
      path,
      {
        id: 'listIssues',
        summary: 'List issues',
        description: 'The headers `X-Hits` and `X-Max-Hits` say how many match.',
        tag: 'Issues',
        permission: 'event:read',
        query: z.object({ ...ISSUES, expand: texts('`owners`, `inbox`, or both.') }),
        pages: true,
        answer: z.array(IssueInList),
      },
      async ({ c, grant, query, page: { cursor, limit } }) => {
        const page = await listIssues(queries, { grant, ...issuesOf(query), cursor, limit })
        setLink(c, publicUrl, page)
        c.header('x-hits', String(page.hits))
        c.header('x-max-hits', String(MAX_HITS))
        const place = { publicUrl, orgSlug: grant.orgSlug }
        const owners = expands(query, 'owners') ? await issueOwners(queries, grant, page.rows) : undefined
        const [hasInbox, nowMs] = [expands(query, 'inbox'), queries.clock.nowMs()]
        return page.rows.map((row) => ({
          ...issueListJson(row, place),
          ...(owners && { owners: ownersJson(owners.get(row.id)) }),
          ...(hasInbox && { inbox: inboxJson(row, nowMs) }),
        }))
      },
    )

    api.put(
      path,
      {
        id: 'updateIssues',
        summary: 'Change many issues',
        description:
          'Those that `id` names, or all that `query` matches and are not so already. `isBookmarked`, `isSubscribed` and `hasSeen` alone need `event:read`, `discard` needs `event:delete`.',
        tag: 'Issues',
        opens: 'event:write',
        query: z.object({ ...ISSUES, id: namedIds }),
        body: ManyFields,
        maxBytes: ISSUE_BODY_BYTES,
        answer: Changed,
        also: { 204: 'None matches, or they were discarded.' },
      },
      async ({ c, query, body: given }) => {
        const body = fieldsOf(given)
        const ownMarks = ownMarksOf(body)
        const ids = idsOf(query.id, 'update issues')
        const nothing = withStatus(204, undefined)
        if (ownMarks) {
          const reader = await grantOfPath(c, 'event:read')
          const find = (otherThan?: string) =>
            matchingIssueIds(queries, { grant: reader, ...issuesOf(query), otherThan })
          const { undo: _, ...marked } = await markOwn(commands, reader, ownMarks, ids ? { ids } : { find })
          return !ids && marked.count === 0 ? nothing : { ...ownMarks, ...marked, undo: null }
        }
        const grant = await grantOfPath(c, 'event:write')
        const { undo: undone, merge } = given
        if (undone !== undefined) return undoIssues(commands, grant, { undo: undone })
        if (merge !== undefined && merge !== false) {
          const { into, merged, undo } = await mergeIssues(commands, grant, { ids: ids ?? [] })
          return { merge: { parent: String(into.id), children: merged.map(({ id }) => String(id)) }, undo }
        }
        if (given.discard === true) {
          await deleteIssues(commands, await grantOfPath(c, 'event:delete'), {
            ids: ids ?? [],
            discard: true,
          })
          return nothing
        }
        const change = changeFrom(body)
        const find = (otherThan?: string) =>
          matchingIssueIds(queries, { grant, ...issuesOf(query), otherThan })
        const { undo, ...changed } = await changeIssues(commands, grant, change, ids ? { ids } : { find })
        if (!ids && changed.count === 0) return nothing
        const { state, assignee, priority, marks } = change
        return {
          ...(state && { status: state.status, statusDetails: given.statusDetails ?? {} }),
          ...(assignee !== undefined && { assignedTo: assignee === '' ? null : assignee }),
          ...(priority !== undefined && { priority }),
          ...(marks && {
            ...(marks.isReviewed && { inbox: null }),
            isBookmarked: marks.isBookmarked,
            isSubscribed: marks.isSubscribed,
            hasSeen: marks.hasSeen,
          }),
          ...changed,
          undo: undo ?? null,
        }
      },
    )

    api.delete(
      path,
      {
        id: 'deleteIssues',
        summary: 'Delete issues',
        tag: 'Issues',
        permission: 'event:delete',
        query: z.object({ id: texts('Ids of issues.') }),
      },
      async ({ grant, query }) => {
        const ids = idsOf(query.id, 'delete issues')
        if (!ids) throw new InvalidInput('delete issues', { id: ['is needed'] })
        await deleteIssues(commands, grant, { ids })
      },
    )
  }
}

/** `?expand=owners&expand=inbox`, also in one. */
const expands = (
  { expand = [] }: { readonly expand?: readonly string[] | undefined },
  what: string,
): boolean => expand.some((text) => text.split(',', 20).includes(what))

/** Null for nobody: so it is in Sentry's API. */
const ownersJson = (owners: readonly StoredOwner[] | undefined) =>
  owners
    ? owners.map(({ owner, kind }) => ({
        type: OWNER_TYPES[kind],
        owner: `${owner.kind}:${owner.id}`,
        date_added: null,
      }))
    : null

/** Undefined: none is named. */
function idsOf(named: readonly string[] | undefined, operation: string): number[] | undefined {
  if (named?.some((id) => !/^\d{1,15}$/.test(id))) throw new InvalidInput(operation, { id: ['is a number'] })
  return named?.map(Number)
}

const OWN_MARKS: readonly string[] = ['isBookmarked', 'isSubscribed', 'hasSeen']

/** The body says nothing else: whoever may read issues may do that. */
export function ownMarksOf(body: JsonBody): Omit<Marks, 'isReviewed'> | undefined {
  const isOwn = body.names.length > 0 && body.names.every((name) => OWN_MARKS.includes(name))
  const marks = isOwn ? marksFrom(body) : undefined
  const { isReviewed: _, ...ownMarks } = marks ?? {}
  return marks && ownMarks
}
