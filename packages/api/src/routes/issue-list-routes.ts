/** Issues of a project or an organization: reading, and changing many at once. */
import type { Grant } from '@sonde/access'
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
import { type Api, type ApiContext, type ApiOptions, grantOfPath } from '../api-context.ts'
import { API_BODY_BYTES, jsonBody, type JsonBody } from '../json-body.ts'
import { issueListParams, setLink } from '../request-params.ts'
import { inboxJson, issueListJson } from '../serializers/issue.ts'
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

export function issueListRoutes(api: Api, options: ApiOptions): void {
  for (const path of ['/organizations/:org/issues', '/projects/:org/:project/issues']) {
    api.get(path, async (c) => list(c, options, await grantOfPath(c, 'event:read')))
    api.put(path, async (c) => update(c, options))
    api.delete(path, async (c) => {
      const ids = namedIds(c, 'delete issues')
      if (!ids) throw new InvalidInput('delete issues', { id: ['is needed'] })
      await deleteIssues(options.commands, await grantOfPath(c, 'event:delete'), { ids })
      return c.body(null, 204)
    })
  }
}

async function list(
  c: ApiContext,
  { queries, publicUrl }: ApiOptions,
  grant: Grant<'event:read', 'org' | 'project'>,
): Promise<Response> {
  const page = await listIssues(queries, { grant, ...issueListParams(c) })
  setLink(c, publicUrl, page)
  c.header('x-hits', String(page.hits))
  c.header('x-max-hits', String(MAX_HITS))
  const place = { publicUrl, orgSlug: grant.orgSlug }
  const owners = expands(c, 'owners') ? await issueOwners(queries, grant, page.rows) : undefined
  const [hasInbox, nowMs] = [expands(c, 'inbox'), queries.clock.nowMs()]
  return c.json(
    page.rows.map((row) => ({
      ...issueListJson(row, place),
      ...(owners && { owners: ownersJson(owners.get(row.id)) }),
      ...(hasInbox && { inbox: inboxJson(row, nowMs) }),
    })),
  )
}

/** `?expand=owners&expand=inbox`, also in one. */
const expands = (c: ApiContext, what: string): boolean =>
  (c.req.queries('expand') ?? []).some((text) => text.split(',', 20).includes(what))

/** Null for nobody: so it is in Sentry's API. */
const ownersJson = (owners: readonly StoredOwner[] | undefined) =>
  owners
    ? owners.map(({ owner, kind }) => ({
        type: OWNER_TYPES[kind],
        owner: `${owner.kind}:${owner.id}`,
        date_added: null,
      }))
    : null

/**
 * `?id=1&id=2`, or all that `query` matches (`is:unresolved` unless given) and are not so already:
 * `{status, statusDetails, substatus, assignedTo, priority, inbox, isBookmarked, isSubscribed, hasSeen}`. Answers what they are now, how many there were, whether that was all (`isComplete`:
 * the same again changes the rest), and `undo`: sent alone to the same path, `{undo}` gives back what they were. 204: none
 * matches. `{merge: 1}` of named ones makes them one, that with the most events; `{discard: true}` deletes them and drops
 * what would come like them.
 */
async function update(c: ApiContext, { queries, commands }: ApiOptions): Promise<Response> {
  const { body, ownMarks } = await issueChangeBody(c)
  if (ownMarks) {
    const reader = await grantOfPath(c, 'event:read')
    const ids = namedIds(c, 'update issues')
    const find = (otherThan?: string) =>
      matchingIssueIds(queries, { grant: reader, ...issueListParams(c), otherThan })
    const { undo: _, ...marked } = await markOwn(commands, reader, ownMarks, ids ? { ids } : { find })
    return !ids && marked.count === 0 ? c.body(null, 204) : c.json({ ...ownMarks, ...marked, undo: null })
  }
  const grant = await grantOfPath(c, 'event:write')
  const undone = body.text('undo')
  if (undone !== undefined) return c.json(await undoIssues(commands, grant, { undo: undone }))
  const named = namedIds(c, 'update issues')
  const merge = body.value('merge')
  if (merge === 1 || merge === true || merge === '1') {
    const { into, merged, undo } = await mergeIssues(commands, grant, { ids: named ?? [] })
    const children = merged.map(({ id }) => String(id))
    return c.json({ merge: { parent: String(into.id), children }, undo })
  }
  if (body.value('discard') === true) {
    await deleteIssues(commands, await grantOfPath(c, 'event:delete'), { ids: named ?? [], discard: true })
    return c.body(null, 204)
  }
  const change = changeFrom(body)
  const find = (otherThan?: string) => matchingIssueIds(queries, { grant, ...issueListParams(c), otherThan })
  const target = named ? { ids: named } : { find }
  const { undo, ...changed } = await changeIssues(commands, grant, change, target)
  if (!named && changed.count === 0) return c.body(null, 204)
  const { state, assignee, priority, marks } = change
  return c.json({
    ...(state && { status: state.status, statusDetails: body.value('statusDetails') ?? {} }),
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
  })
}

/** `?id=1&id=2`. Undefined: none is named. */
function namedIds(c: ApiContext, operation: string): number[] | undefined {
  const named = c.req.queries('id')
  if (named?.some((id) => !/^\d{1,15}$/.test(id))) throw new InvalidInput(operation, { id: ['is a number'] })
  return named?.map(Number)
}

const OWN_MARKS: readonly string[] = ['isBookmarked', 'isSubscribed', 'hasSeen']

/**
 * An undo names each issue that it gives back, so it may be long. `ownMarks`: it says nothing else, and whoever may read
 * issues may do that.
 */
export async function issueChangeBody(c: ApiContext): Promise<{
  readonly body: JsonBody
  readonly ownMarks: Omit<Marks, 'isReviewed'> | undefined
}> {
  const body = await jsonBody(c, MAX_UNDO_CHARS + API_BODY_BYTES.json)
  const isOwn = body.names.length > 0 && body.names.every((name) => OWN_MARKS.includes(name))
  const marks = isOwn ? marksFrom(body) : undefined
  const { isReviewed: _, ...ownMarks } = marks ?? {}
  return { body, ownMarks: marks && ownMarks }
}
