/** One issue, its events and tags. Under the organization's path, and under `/issues/{id}/` as older clients ask. */
import type { Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import {
  changeIssues,
  markOwn,
  deleteIssues,
  openShare,
  shareIssue,
  takeOutFingerprints,
  undoIssues,
  unshareIssue,
} from '@sonde/commands'
import {
  countComments,
  EVENT_CHOICES,
  eventById,
  findIssue,
  issueActivity,
  issueSeenBy,
  issueDetail,
  issueEvent,
  issueEvents,
  issueParts,
  issueShare,
  sharedIssue,
  type IssueRow,
  issueTags,
  issueTagValues,
  namesIssue,
  participants,
} from '@sonde/queries'
import { z } from 'zod'
import { type ApiContext, type ApiOptions, pathParam, tooMany } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { fieldsOf, type JsonBody } from '../json-body.ts'
import { withStatus } from '../operation.ts'
import { setLink, setSinglePage } from '../pages.ts'
import { environments, text, texts } from '../query-schemas.ts'
import { activityJson } from '../serializers/activity.ts'
import { isoDate, isoDateOrNull, Time } from '../serializers/date.ts'
import { EventDetail, eventDetailJson } from '../serializers/event-detail.ts'
import { EventInList, eventRowJson, EventTags } from '../serializers/event-row.ts'
import { inboxJson, issueDetailJson, IssueWithAll } from '../serializers/issue.ts'
import { TagSummary, tagSummaryJson, TagValue, tagValueJson } from '../serializers/tag.ts'
import { changeFrom, ISSUE_BODY_BYTES, OneFields, ownMarksOf } from './issue-list-routes.ts'

/** Where the program was; each field only where the SDK told it. */
const SharedFrame = z
  .object({
    function: z.string(),
    module: z.string(),
    filename: z.string(),
    lineno: z.number(),
    colno: z.number(),
    pre_context: z.array(z.string()).meta({ description: 'Lines of source before `context_line`.' }),
    context_line: z.string(),
    post_context: z.array(z.string()),
    in_app: z.boolean().meta({ description: 'False: a library.' }),
  })
  .partial()
  .meta({ id: 'SharedFrame' })

const SharedIssue = z
  .object({
    isPublic: z.literal(true),
    shortId: z.string(),
    title: z.string(),
    culprit: z.string(),
    level: z.string(),
    platform: z.string(),
    project: z.object({ name: z.string() }),
    count: z.string().meta({ description: 'How many events it has.' }),
    firstSeen: Time,
    lastSeen: Time,
    latestEvent: z
      .object({
        timestampMs: z.number().meta({ description: 'Unix milliseconds.' }),
        dateCreated: Time,
        exceptions: z.array(
          z.object({
            type: z.string(),
            value: z.string(),
            frames: z.array(SharedFrame).meta({ description: 'The most recent call first.' }),
          }),
        ),
        tags: EventTags.meta({ description: 'Those that say what ran, not who.' }),
      })
      .nullable()
      .meta({ description: 'Null: retention has removed all.' }),
  })
  .meta({ id: 'SharedIssue', description: 'What a public link shows, without anything of users.' })

/** Without a sign-in: the token in the address is all there is. https://docs.sentry.io/product/issues/issue-details/ */
export function sharedIssueRoutes(
  api: Api,
  { commands, queries, clientAddress }: Pick<ApiOptions, 'commands' | 'queries' | 'clientAddress'>,
): void {
  for (const path of ['/organizations/:org/shared/issues/:share', '/shared/issues/:share'] as const)
    api.get(
      path,
      {
        id: 'getSharedIssue',
        summary: 'Read an issue that was shared',
        tag: 'Links',
        isPublic: true,
        answer: SharedIssue,
        errors: { 429: 'Too many were asked for.' },
      },
      async ({ c, params }) => {
        c.header('cache-control', 'no-store')
        const address = clientAddress?.(c.req.raw.headers)
        const opened = await openShare(commands, params.share, address)
        if (opened && 'waitSec' in opened) throw tooMany(c, opened.waitSec)
        const issue = opened && (await sharedIssue(queries, opened.issueId))
        if (!issue) return undefined
        const { firstSeenMs, lastSeenMs, eventCount, projectName, event, ...shown } = issue
        return {
          ...shown,
          isPublic: true as const,
          project: { name: projectName },
          count: String(eventCount),
          firstSeen: isoDate(firstSeenMs),
          lastSeen: isoDate(lastSeenMs),
          latestEvent: event ? { ...event, dateCreated: isoDate(event.timestampMs) } : null,
        }
      },
    )
}

const Hash = z
  .object({
    id: z.string(),
    hashes: z.array(z.string()),
    count: z.int(),
    firstSeen: Time.nullable(),
    lastSeen: Time.nullable(),
    latestEvent: z
      .object({ id: z.string(), eventID: z.string(), title: z.string(), culprit: z.string() })
      .nullable(),
    mergedFrom: z.string().nullable().meta({ description: 'Short id of the issue that it was.' }),
  })
  .meta({ id: 'IssueHash' })

const common = { tag: 'Issues' } as const
const reads = { ...common, opens: 'event:read' } as const
const writes = { ...common, opens: 'event:write' } as const

export function issueRoutes(api: Api, options: ApiOptions): void {
  const { queries, commands, publicUrl } = options
  const open = openIssue(options)
  for (const base of ISSUE_PATHS) {
    api.get(
      base,
      { ...reads, id: 'getIssue', summary: 'Read an issue', answer: IssueWithAll },
      async ({ c }) => detail(options, await open(c, 'event:read')),
    )

    api.put(
      base,
      {
        ...writes,
        id: 'updateIssue',
        summary: 'Change an issue',
        description:
          '`isBookmarked`, `isSubscribed` and `hasSeen` alone need `event:read`, `discard` needs `event:delete`.',
        body: OneFields,
        maxBytes: ISSUE_BODY_BYTES,
        answer: IssueWithAll,
        also: { 202: 'It was discarded. No body.' },
      },
      async ({ c, body: given }) => {
        const body = fieldsOf(given)
        const ownMarks = ownMarksOf(body)
        if (ownMarks) {
          const found = await open(c, 'event:read')
          await markOwn(commands, found.grant, ownMarks, { ids: [found.issue.id] })
          return detail(options, found, { undo: null })
        }
        const { grant, issue } = await open(c, 'event:write')
        if (given.discard === true) {
          const { grant: may } = await open(c, 'event:delete')
          await deleteIssues(commands, may, { ids: [issue.id], discard: true })
          return withStatus(202, undefined)
        }
        const { isPublic } = given
        const shareId = isPublic === undefined ? undefined : await setShared(options, grant, issue, isPublic)
        const undo = await changeOne(options, grant, issue.id, body)
        return detail(options, { grant, issue }, { undo: undo ?? null, ...(shareId && { shareId }) })
      },
    )

    api.delete(
      base,
      { ...common, opens: 'event:delete', id: 'deleteIssue', summary: 'Delete an issue', status: 202 },
      async ({ c }) => {
        const { grant, issue } = await open(c, 'event:delete')
        await deleteIssues(commands, grant, { ids: [issue.id] })
      },
    )

    api.get(
      `${base}/hashes`,
      {
        ...reads,
        id: 'listIssueHashes',
        summary: 'List the fingerprints of an issue',
        description: 'Those that some event has together are one, named by the first.',
        pages: true,
        answer: z.array(Hash),
      },
      async ({ c }) => hashes(c, options, await open(c, 'event:read')),
    )

    // https://docs.sentry.io/api/events/: those that are named become an issue of their own, or again what they were.
    for (const method of ['put', 'delete'] as const)
      api[method](
        `${base}/hashes`,
        {
          ...writes,
          id: method === 'put' ? 'splitIssue' : 'unmergeIssue',
          summary: 'Make an issue of fingerprints of another',
          query: z.object({
            id: texts('The fingerprints.'),
            backTo: z
              .string()
              .regex(/^\d{1,15}$/, 'is a number')
              .optional()
              .meta({
                description: 'Id of the issue that they were; a new one unless given.',
              }),
          }),
          answer: z.object({ id: z.string() }),
          status: 202,
        },
        async ({ c, query: { id = [], backTo } }) => {
          const { grant, issue } = await open(c, 'event:write')
          const { to } = await takeOutFingerprints(commands, grant, {
            issueId: issue.id,
            hashes: id,
            ...(backTo !== undefined && { backTo: Number(backTo) }),
          })
          return { id: String(to.id) }
        },
      )

    api.get(
      `${base}/events`,
      {
        ...reads,
        id: 'listIssueEvents',
        summary: 'List the events of an issue',
        query: z.object({ query: text('A search.') }),
        pages: true,
        answer: z.array(EventInList),
      },
      async ({ c, query, page: asked }) => {
        const { issue } = await open(c, 'event:read')
        const page = await issueEvents(queries, issue, { query: query.query, ...asked })
        setLink(c, publicUrl, page)
        return page.rows.map(eventRowJson)
      },
    )

    api.get(
      `${base}/events/:event`,
      { ...reads, id: 'getIssueEvent', summary: 'Read an event of an issue', answer: EventDetail },
      async ({ c, params }) => {
        const { issue } = await open(c, 'event:read')
        const choice = EVENT_CHOICES.find((name) => name === params.event)
        const event = await (choice
          ? issueEvent(queries, issue, choice)
          : eventById(queries, { projectId: issue.project.id }, params.event))
        // An id of the same project but another issue is not this issue's event.
        return event?.issueId === issue.id ? eventDetailJson(event) : undefined
      },
    )

    const Environments = z.object({ environment: environments })
    const shownTags = { keys: 100, valuesPerKey: 10 }

    api.get(
      `${base}/tags`,
      {
        ...reads,
        id: 'listIssueTags',
        summary: 'List the tags of an issue',
        query: Environments,
        pages: true,
        answer: z.array(TagSummary),
      },
      async ({ c, query }) => {
        const { issue } = await open(c, 'event:read')
        const tags = await issueTags(queries, issue, { ...shownTags, environments: query.environment })
        setSinglePage(c, publicUrl)
        return tags.map(tagSummaryJson)
      },
    )

    api.get(
      `${base}/tags/:key`,
      {
        ...reads,
        id: 'getIssueTag',
        summary: 'Read a tag of an issue',
        query: Environments,
        answer: TagSummary,
      },
      async ({ c, params, query }) => {
        const { issue } = await open(c, 'event:read')
        const only = { ...shownTags, keys: 1, key: params.key }
        const [tag] = await issueTags(queries, issue, { ...only, environments: query.environment })
        return tag && tagSummaryJson(tag)
      },
    )

    api.get(
      `${base}/tags/:key/values`,
      {
        ...reads,
        id: 'listIssueTagValues',
        summary: 'List the values of a tag of an issue',
        query: Environments.extend({ query: text('Looked for inside of the values.') }),
        pages: true,
        answer: z.array(TagValue),
      },
      async ({ c, params, query, page: asked }) => {
        const { issue } = await open(c, 'event:read')
        const page = await issueTagValues(queries, issue, {
          key: params.key,
          contains: query.query,
          environments: query.environment,
          ...asked,
        })
        setLink(c, publicUrl, page)
        return page.rows.map((value) => tagValueJson(page.key, value))
      },
    )
  }
}

/** Under the organization's path, and as older clients ask. */
export const ISSUE_PATHS = ['/organizations/:org/issues/:issue', '/issues/:issue'] as const

/** Returns what takes the change back, when it changed something. `{undo}`, alone, does that. */
async function changeOne(
  { commands }: ApiOptions,
  grant: Grant<'event:write', 'org'>,
  issueId: number,
  body: JsonBody,
): Promise<string | undefined> {
  const undone = body.text('undo')
  if (undone !== undefined) {
    await undoIssues(commands, grant, { undo: undone, issueId })
    return undefined
  }
  const change = changeFrom(body)
  if (Object.values(change).every((value) => value === undefined)) return undefined
  const { undo } = await changeIssues(commands, grant, change, { ids: [issueId] })
  return undo
}

/** The token of a new link; its answer is the only one that has it. */
async function setShared(
  { commands }: ApiOptions,
  grant: Grant<'event:write', 'org'>,
  { id, project }: IssueRow,
  isPublic: boolean,
): Promise<string | undefined> {
  const of = { id, projectId: project.id }
  if (isPublic) return (await shareIssue(commands, grant, of)).token
  await unshareIssue(commands, grant, of)
  return undefined
}

/** Those that some event has together are one, named by the first. */
async function hashes(
  c: ApiContext,
  { queries, publicUrl }: ApiOptions,
  { grant, issue }: { readonly grant: Grant<'event:read', 'org'>; readonly issue: IssueRow },
) {
  const { fingerprints, members } = await issueParts(queries, grant, issue)
  setSinglePage(c, publicUrl)
  return fingerprints.map(({ hashes: [id = '', ...others], memberId, ...found }) => ({
    id,
    hashes: [id, ...others],
    count: found.events,
    firstSeen: isoDateOrNull(found.firstSeenMs),
    lastSeen: isoDateOrNull(found.lastSeenMs),
    latestEvent:
      found.lastEventId === ''
        ? null
        : { id: found.lastEventId, eventID: found.lastEventId, title: found.title, culprit: found.culprit },
    mergedFrom: members.find(({ id: member }) => member === memberId)?.shortId ?? null,
  }))
}

/** `…/activities/` has all of it. */
const ACTIVITY_IN_DETAIL = 100

async function detail(
  { queries, publicUrl }: ApiOptions,
  { grant, issue }: { readonly grant: Grant<'event:read', 'org'>; readonly issue: IssueRow },
  also: { readonly undo?: string | null; readonly shareId?: string } = {},
) {
  const found = await issueDetail(queries, grant, issue.id)
  if (!found) return undefined
  const inbox = inboxJson(found, queries.clock.nowMs())
  const [{ activity }, numComments, people, seenBy, share] = await Promise.all([
    issueActivity(queries, grant, issue, { limit: ACTIVITY_IN_DETAIL }),
    countComments(queries, grant, issue),
    participants(queries, grant, issue),
    issueSeenBy(queries, grant, issue),
    issueShare(queries, found.id),
  ])
  return {
    ...issueDetailJson(found, { publicUrl, orgSlug: grant.orgSlug }),
    inbox,
    isPublic: share !== undefined,
    activity: activity.map(activityJson),
    numComments,
    seenBy: seenBy.map(({ userId, name, email, lastSeenMs }) => ({
      type: 'user' as const,
      id: userId,
      name,
      email,
      lastSeen: isoDate(lastSeenMs),
    })),
    participants: people.map(({ userId, name, email }) => ({
      type: 'user' as const,
      id: userId,
      name,
      email,
    })),
    ...also,
  }
}

/** Whoever may change events may read them. */
type IssuePermission = 'event:read' | 'event:write' | 'event:delete'

type OpenIssue = <P extends IssuePermission>(
  c: ApiContext,
  permission: P,
) => Promise<{ readonly grant: Grant<P, 'org'>; readonly issue: IssueRow }>

/**
 * Without an organization in the path, the ones that the viewer sees are tried: ids are unique, short ids need not be. One that
 * became part of another is that, but not to be deleted: the whole would go with it.
 */
export function openIssue({ queries }: ApiOptions): OpenIssue {
  return async <P extends IssuePermission>(c: ApiContext, permission: P) => {
    const open = c.get('grants')
    const org = c.req.param('org')
    const ref = pathParam(c, 'issue')
    const grants = org === undefined ? await open.openOrgs(permission) : [await open.openOrg(org, permission)]
    for (const grant of grants) {
      const issue = await findIssue(queries, grant, ref)
      if (issue && permission === 'event:delete' && !namesIssue(issue, ref))
        throw new SondeError('conflict', `the issue is part of ${issue.shortId} now`, {
          operation: 'delete an issue',
          subject: ref,
          hint: 'delete the other one, or give this one back first',
        })
      if (issue) return { grant, issue }
    }
    throw new SondeError('not-found', 'no such issue', { operation: 'open an issue', subject: ref })
  }
}
