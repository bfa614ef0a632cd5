/** One issue, its events and tags. Under the organization's path, and under `/issues/{id}/` as older clients ask. */
import type { Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import {
  changeIssues,
  markOwn,
  deleteIssues,
  InvalidInput,
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
import { type Api, type ApiContext, type ApiOptions, pathParam } from '../api-context.ts'
import type { JsonBody } from '../json-body.ts'
import { limitParam, setLink, setSinglePage } from '../request-params.ts'
import { activityJson } from '../serializers/activity.ts'
import { isoDate } from '../serializers/date.ts'
import { eventDetailJson } from '../serializers/event-detail.ts'
import { eventRowJson } from '../serializers/event-row.ts'
import { inboxJson, issueDetailJson, tagSummaryJson, tagValueJson } from '../serializers/issue.ts'
import { changeFrom, issueChangeBody } from './issue-list-routes.ts'

/** Without a sign-in: the token in the address is all there is. https://docs.sentry.io/product/issues/issue-details/ */
export function sharedIssueRoutes(
  api: Api,
  { commands, queries, clientAddress }: Pick<ApiOptions, 'commands' | 'queries' | 'clientAddress'>,
): void {
  for (const path of ['/organizations/:org/shared/issues/:share', '/shared/issues/:share'])
    api.get(path, async (c) => {
      c.header('cache-control', 'no-store')
      const address = clientAddress?.(c.req.raw.headers)
      const opened = await openShare(commands, pathParam(c, 'share'), address)
      if (opened && 'waitSec' in opened) {
        c.header('retry-after', String(opened.waitSec))
        return c.json({ detail: 'Too many requests.' }, 429)
      }
      const issue = opened && (await sharedIssue(queries, opened.issueId))
      if (!issue) return c.json({ detail: 'The requested resource does not exist' }, 404)
      const { firstSeenMs, lastSeenMs, eventCount, projectName, event, ...shown } = issue
      return c.json({
        ...shown,
        isPublic: true,
        project: { name: projectName },
        count: String(eventCount),
        firstSeen: isoDate(firstSeenMs),
        lastSeen: isoDate(lastSeenMs),
        latestEvent: event ? { ...event, dateCreated: isoDate(event.timestampMs) } : null,
      })
    })
}

export function issueRoutes(api: Api, options: ApiOptions): void {
  const { queries, publicUrl } = options
  const open = openIssue(options)
  for (const base of ['/organizations/:org/issues/:issue', '/issues/:issue']) {
    api.get(base, async (c) => detail(c, options, await open(c, 'event:read')))

    api.put(base, async (c) => {
      const { body, ownMarks } = await issueChangeBody(c)
      if (ownMarks) {
        const found = await open(c, 'event:read')
        await markOwn(options.commands, found.grant, ownMarks, { ids: [found.issue.id] })
        return detail(c, options, found, { undo: null })
      }
      const { grant, issue } = await open(c, 'event:write')
      const isPublic = body.value('isPublic')
      if (body.value('discard') === true) {
        const { grant: may } = await open(c, 'event:delete')
        await deleteIssues(options.commands, may, { ids: [issue.id], discard: true })
        return c.body(null, 202)
      }
      const shareId =
        typeof isPublic === 'boolean' ? await setShared(options, grant, issue, isPublic) : undefined
      const undo = await changeOne(options, grant, issue.id, body)
      return detail(c, options, { grant, issue }, { undo: undo ?? null, ...(shareId && { shareId }) })
    })

    api.delete(base, async (c) => {
      const { grant, issue } = await open(c, 'event:delete')
      await deleteIssues(options.commands, grant, { ids: [issue.id] })
      return c.body(null, 202)
    })

    api.get(`${base}/hashes`, async (c) => hashes(c, options, await open(c, 'event:read')))
    // https://docs.sentry.io/api/events/: those that are named become an issue of their own, or again what they were.
    for (const take of [api.put, api.delete].map((add) => add.bind(api)))
      take(`${base}/hashes`, async (c) => {
        const { grant, issue } = await open(c, 'event:write')
        const back = c.req.query('backTo')
        if (back !== undefined && !/^\d{1,15}$/.test(back))
          throw new InvalidInput('take fingerprints out', { backTo: ['is a number'] })
        const { to } = await takeOutFingerprints(options.commands, grant, {
          issueId: issue.id,
          hashes: c.req.queries('id') ?? [],
          ...(back !== undefined && { backTo: Number(back) }),
        })
        return c.json({ id: String(to.id) }, 202)
      })

    api.get(`${base}/events`, async (c) => {
      const { issue } = await open(c, 'event:read')
      const page = await issueEvents(queries, issue, {
        query: c.req.query('query'),
        limit: limitParam(c),
        cursor: c.req.query('cursor'),
      })
      setLink(c, publicUrl, page)
      return c.json(page.rows.map((row) => eventRowJson(row)))
    })

    api.get(`${base}/events/:event`, (c) => eventOfIssue(c, options, open))

    api.get(`${base}/tags`, async (c) => {
      const { issue } = await open(c, 'event:read')
      const tags = await issueTags(queries, issue, {
        keys: 100,
        valuesPerKey: 10,
        environments: c.req.queries('environment'),
      })
      setSinglePage(c, publicUrl)
      return c.json(tags.map((tag) => tagSummaryJson(tag)))
    })

    api.get(`${base}/tags/:key`, async (c) => {
      const { issue } = await open(c, 'event:read')
      const [tag] = await issueTags(queries, issue, {
        keys: 1,
        valuesPerKey: 10,
        key: pathParam(c, 'key'),
        environments: c.req.queries('environment'),
      })
      return tag ? c.json(tagSummaryJson(tag)) : c.notFound()
    })

    api.get(`${base}/tags/:key/values`, async (c) => {
      const { issue } = await open(c, 'event:read')
      const page = await issueTagValues(queries, issue, {
        key: pathParam(c, 'key'),
        contains: c.req.query('query'),
        environments: c.req.queries('environment'),
        limit: limitParam(c),
        cursor: c.req.query('cursor'),
      })
      setLink(c, publicUrl, page)
      return c.json(page.rows.map((value) => tagValueJson(page.key, value)))
    })
  }
}

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
): Promise<Response> {
  const { fingerprints, members } = await issueParts(queries, grant, issue)
  setSinglePage(c, publicUrl)
  return c.json(
    fingerprints.map(({ hashes: [id = '', ...others], memberId, ...found }) => ({
      id,
      hashes: [id, ...others],
      count: found.events,
      firstSeen: found.firstSeenMs === undefined ? null : isoDate(found.firstSeenMs),
      lastSeen: found.lastSeenMs === undefined ? null : isoDate(found.lastSeenMs),
      latestEvent:
        found.lastEventId === ''
          ? null
          : { id: found.lastEventId, eventID: found.lastEventId, title: found.title, culprit: found.culprit },
      mergedFrom: members.find(({ id: member }) => member === memberId)?.shortId ?? null,
    })),
  )
}

/** `…/activities/` has all of it. */
const ACTIVITY_IN_DETAIL = 100

async function detail(
  c: ApiContext,
  { queries, publicUrl }: ApiOptions,
  { grant, issue }: { readonly grant: Grant<'event:read', 'org'>; readonly issue: IssueRow },
  also: { readonly undo?: string | null; readonly shareId?: string } = {},
): Promise<Response> {
  const found = await issueDetail(queries, grant, issue.id)
  if (!found) return c.notFound()
  const inbox = inboxJson(found, queries.clock.nowMs())
  const [{ activity }, numComments, people, seenBy, share] = await Promise.all([
    issueActivity(queries, grant, issue, { limit: ACTIVITY_IN_DETAIL }),
    countComments(queries, grant, issue),
    participants(queries, grant, issue),
    issueSeenBy(queries, grant, issue),
    issueShare(queries, found.id),
  ])
  return c.json({
    ...issueDetailJson(found, { publicUrl, orgSlug: grant.orgSlug }),
    inbox,
    isPublic: share !== undefined,
    activity: activity.map((each) => activityJson(each)),
    numComments,
    seenBy: seenBy.map(({ userId, name, email, lastSeenMs }) => ({
      type: 'user',
      id: userId,
      name,
      email,
      lastSeen: isoDate(lastSeenMs),
    })),
    participants: people.map(({ userId, name, email }) => ({ type: 'user', id: userId, name, email })),
    ...also,
  })
}

/** `…/issues/{id}/events/{latest, oldest, recommended, EVENT_ID}/`. */
async function eventOfIssue(c: ApiContext, { queries }: ApiOptions, open: OpenIssue): Promise<Response> {
  const { issue } = await open(c, 'event:read')
  const ref = pathParam(c, 'event')
  const choice = EVENT_CHOICES.find((name) => name === ref)
  const event = await (choice
    ? issueEvent(queries, issue, choice)
    : eventById(queries, { projectId: issue.project.id }, ref))
  // An id of the same project but another issue is not this issue's event.
  return event?.issueId === issue.id ? c.json(eventDetailJson(event)) : c.notFound()
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
