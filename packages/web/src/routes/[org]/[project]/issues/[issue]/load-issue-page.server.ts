/** The issue screen and the event screen are one: an issue with one of its events. */
import { type Grant, mayAlso, requireAlso } from '@sonde/access'
import {
  eventImages,
  countReplaysOfIssue,
  EVENT_CHOICES,
  eventAttachments,
  type EventChoice,
  type EventDetail,
  eventById,
  type EventNarrowing,
  eventSeries,
  groupingReason,
  type IssueDetail,
  issueDetail,
  issueEvent,
  issueSeenBy,
  modelName,
  movingEvents,
  narrowedEventId,
  narrowedNeighbours,
  orderedReleases,
  ownersOfEvent,
  replayMoment,
  replayOfEvent,
  similarIssues,
  suspectCommits,
  trackerLinks,
  trackerNames,
  userReports,
} from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import type { ChartSeries } from '../../../../../charts/chart-series.ts'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { chartWindow } from '../../../../../parts/event-filter/chart-window.server.ts'
import { isNarrowed, readEventFilter, spanOf } from '../../../../../parts/event-filter/event-filter.ts'
import { loadDoctor } from '../../../../../parts/event/doctor/load-doctor.server.ts'
import type { EventRef } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { leadOn, leadToIssueOf } from './lead-on.server.ts'
import { loadActivity } from './load-activity.server.ts'
import { loadFailedRequest } from './load-failed-request.server.ts'
import { orRefusal } from './search-refusal.server.ts'

type Args = LoadArgs<AppContext, 'org' | 'project' | 'issue'>

const SIMILAR = 5
const SUSPECTS = 3
const SEEN_SHOWN = 8
const REPORTS_SHOWN = 50

/** `detail`: undefined when retention has removed all of the issue's events, or none is left by the filter. */
export async function loadIssuePage(args: Args, ref: EventRef) {
  const { queries } = args.context
  const grant = await projectGrant(args, 'event:read')
  const issue = (await issueDetail(queries, grant, args.params.issue)) ?? notFound()
  leadOn(args, issue)
  const filter = readEventFilter(args.url.searchParams)
  const [searched, alike, releases, activity, linked, moving, seenBy, reports, replayCount] =
    await Promise.all([
      orRefusal(() => loadEvent(args, grant, issue, ref)),
      similarIssues(queries, issue, SIMILAR),
      orderedReleases(queries, grant),
      loadActivity(args, grant, issue),
      loadLinked(args, grant, issue),
      movingEvents(queries, issue),
      issueSeenBy(queries, grant, issue),
      userReports(queries, grant, issue),
      countReplaysOfIssue(queries, grant, issue.id),
    ])
  const similar = alike.map(({ issue: { id, shortId, title, status, eventCount, lastSeenMs }, reason }) => ({
    id,
    shortId,
    title,
    status,
    eventCount,
    lastSeenMs,
    reason,
  }))
  const { detail, series } = searched.value ?? {}
  // An event that is asked for by its id is there or the page is not.
  if (searched.value && !detail && !isChoice(ref)) {
    await leadToIssueOf(args, grant, ref)
    return notFound()
  }
  const grouping = detail && (await groupingReason(queries, issue, detail.event))
  const doctor = detail && (await loadDoctor(args, grant, detail.event))
  const failedRequest = detail && (await loadFailedRequest(args, grant, detail.event, grouping?.trace))
  const images = detail && (await eventImages(queries, grant, detail.event))
  const suspects =
    detail &&
    (await suspectCommits(queries, grant, { issueId: issue.id, event: detail.event, limit: SUSPECTS }))
  const owners = detail ? await loadOwners(args, grant, issue, detail) : []
  const replays = { ofEvent: detail && (await loadReplay(args, grant, detail)), count: replayCount }
  const mayChange = mayAlso(grant, 'event:write')
  const explainer =
    detail && mayChange ? await modelName(queries, requireAlso(grant, 'event:write')) : undefined
  const attachments = detail ? await loadAttachments(args, grant, detail.event.event_id) : []
  const choice = isChoice(ref) ? ref : ('id' as const)
  return {
    issue,
    detail,
    series,
    grouping,
    attachments,
    replays,
    doctor,
    images,
    failedRequest,
    reports: reports.slice(0, REPORTS_SHOWN),
    suspects,
    owners,
    similar,
    activity,
    linked,
    moving,
    seenBy: {
      people: seenBy.slice(0, SEEN_SHOWN),
      count: seenBy.length,
      mineMs: seenBy.find(({ isMe }) => isMe)?.lastSeenMs,
    },
    mayChange,
    explainer,
    mayDelete: mayAlso(grant, 'event:delete'),
    latestRelease: releases[0]?.version,
    choice,
    filter,
    refusal: searched.refusal,
  }
}

/** Issues of trackers that belong to this one, and whether the person may make or link another. */
async function loadLinked(
  { context: { queries } }: Args,
  grant: Grant<'event:read', 'project'>,
  { id: issueId, shortId }: IssueDetail,
) {
  const [links, names] = await Promise.all([
    trackerLinks(queries, grant, issueId),
    trackerNames(queries, grant),
  ])
  return {
    shortId,
    links,
    mayLink: names.length > 0 && mayAlso(grant, 'event:write'),
    mayConnect: names.length === 0 && mayAlso(grant, 'integration:write'),
  }
}

/** Who owns what the shown event is about, and why. */
async function loadOwners(
  { context }: Args,
  grant: Grant<'event:read', 'project'>,
  { assignee }: IssueDetail,
  detail: EventDetail,
) {
  const found = await ownersOfEvent(context.queries, grant, detail)
  const mayChange = mayAlso(grant, 'event:write')
  return found.map(({ owner, kind, reason, matched }) => ({
    value: `${owner.kind}:${owner.id}`,
    name: owner.kind === 'team' ? owner.text : owner.name,
    isByCommit: kind === 'suspect_commit',
    reason,
    matched,
    mayAssign: mayChange && (assignee?.type !== owner.kind || assignee.id !== String(owner.id)),
  }))
}

/** The replay in which the shown event happened, if it is kept. */
async function loadReplay(args: Args, grant: Grant<'event:read', 'project'>, detail: EventDetail) {
  const replayId = replayOfEvent(detail.event)
  if (replayId === undefined) return undefined
  return replayMoment(args.context.queries, grant, { replayId, atMs: detail.timestampMs })
}

async function loadAttachments(args: Args, grant: Grant<'event:read', 'project'>, eventId: string) {
  const list = await eventAttachments(args.context.queries, grant, eventId)
  const mayDelete = mayAlso(grant, 'event:delete')
  return list.map(({ id, name, contentType, type, shownAs, bytes }) => ({
    id,
    name,
    contentType,
    type,
    shownAs,
    bytes,
    mayDelete,
  }))
}

async function loadEvent(
  { context, url }: Args,
  grant: Grant<'event:read', 'project'>,
  issue: IssueDetail,
  ref: EventRef,
) {
  const { queries, clock } = context
  const nowMs = clock.nowMs()
  const filter = readEventFilter(url.searchParams)
  const { query, environments } = filter
  const narrowing = isNarrowed(filter) ? { query, environments, ...spanOf(filter, nowMs) } : undefined
  const [detail, { fromMs, toMs, stepMs, counts, total, markers }] = await Promise.all([
    findEvent(queries, grant, issue, ref, narrowing),
    eventSeries(queries, issue, { query, environments, ...chartWindow(issue, filter, nowMs), buckets: 80 }),
  ])
  const series: ChartSeries = { fromMs, toMs, stepMs, counts, total, markers }
  return { detail, series }
}

async function findEvent(
  queries: AppContext['queries'],
  grant: Grant<'event:read', 'project'>,
  issue: IssueDetail,
  ref: EventRef,
  narrowing: EventNarrowing | undefined,
): Promise<EventDetail | undefined> {
  if (!narrowing && isChoice(ref)) return issueEvent(queries, issue, ref)
  const id = narrowing && isChoice(ref) ? await narrowedEventId(queries, issue, ref, narrowing) : ref
  const detail = id === undefined ? undefined : await eventById(queries, grant, id)
  if (!detail || detail.issueId !== issue.id) return undefined
  if (!narrowing) return detail
  const place = { ...detail, eventId: detail.event.event_id }
  return { ...detail, neighbours: await narrowedNeighbours(queries, place, narrowing) }
}

const isChoice = (ref: string): ref is EventChoice => (EVENT_CHOICES as readonly string[]).includes(ref)
