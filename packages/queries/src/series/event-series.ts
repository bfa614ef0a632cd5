/** Events over time: the chart of an issue, a project or an organization, with the releases that began meanwhile. */
import type { Grant } from '@sonde/access'
import { EVENT_COUNT } from '@sonde/stores'
import { issueRequest } from '../issues/issue-request.ts'
import type { IssueRow } from '../issues/issue-row.ts'
import { MAX_CANDIDATES } from '../issues/ranked-by-events.ts'
import { issueIdsByRecords } from '../issues/ranked-by-records.ts'
import type { QueryDeps } from '../query-deps.ts'
import { eventConditions, type EventFilter, eventSearch, type SqlCondition } from '../search/event-search.ts'
import { type BucketWindow, bucketWindow, type WindowInput } from './intervals.ts'
import { type ReleaseMarker, releaseMarkers } from './markers.ts'

export type EventSeriesInput = WindowInput &
  EventFilter & {
    /** Only these projects of the grant. */
    readonly projectIds?: readonly number[] | undefined
    /** False: no markers, one read less. */
    readonly markers?: boolean | undefined
  }

/** `fromMs`/`toMs` are the asked window widened to whole buckets; everything inside was counted. */
export type EventSeries = BucketWindow & {
  /** One number per element of `startsMs`; 0 where nothing happened. */
  readonly counts: readonly number[]
  readonly total: number
  /** Oldest first. */
  readonly markers: readonly ReleaseMarker[]
  /** The search named fields of issues and more than 5,000 match: only the last seen of them were counted. */
  readonly isPartial: boolean
}

/** What `findIssue` or `issueDetail` gave, which looked it up within a grant. */
export type IssueTarget = Pick<IssueRow, 'id' | 'project'>

/**
 * For an issue one range of `events` (ordering key project, issue, timestamp); for a grant the timestamps of its
 * projects, about 15 ms a million warm. Of an issue's chart only fields of events may be searched; of a grant's
 * everything, as in the list. Throws `SearchError`, and `SondeError` (`invalid`) for a window without length.
 */
export async function eventSeries(
  deps: QueryDeps,
  target: Grant<'event:read', 'org' | 'project'> | IssueTarget,
  input: EventSeriesInput,
): Promise<EventSeries> {
  const window = bucketWindow(input)
  const counted = 'orgId' in target ? await inGrant(deps, target, input) : inIssue(target, input)
  const [rows, markers] = await Promise.all([
    countBuckets(deps, window, counted),
    input.markers === false ? [] : releaseMarkers(deps, counted.projectIds, window, input.environments),
  ])
  const counts = window.startsMs.map(() => 0)
  for (const { bucket, n } of rows) counts[bucket] = n
  const total = counts.reduce((sum, n) => sum + n, 0)
  return { ...window, counts, total, markers, isPartial: counted.isPartial }
}

type Counted = {
  readonly projectIds: readonly number[]
  /** Undefined: all issues. */
  readonly issueIds: readonly number[] | undefined
  readonly condition: SqlCondition
  readonly isPartial: boolean
}

const inIssue = (issue: IssueTarget, input: EventSeriesInput): Counted => ({
  projectIds: [issue.project.id],
  issueIds: [issue.id],
  condition: eventSearch(input),
  isPartial: false,
})

async function inGrant(
  deps: QueryDeps,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: EventSeriesInput,
): Promise<Counted> {
  const { query = '', environments, projectIds } = input
  const request = await issueRequest(deps, { grant, query, environments, projectIds })
  const issueIds =
    request.issue.length === 0 ? undefined : await issueIdsByRecords(deps, request, MAX_CANDIDATES)
  return {
    projectIds: request.projectIds,
    issueIds,
    condition: eventConditions(request.event),
    isPartial: issueIds !== undefined && issueIds.length >= MAX_CANDIDATES,
  }
}

async function countBuckets(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  { fromMs, toMs, stepMs }: BucketWindow,
  { projectIds, issueIds, condition }: Counted,
): Promise<readonly { readonly bucket: number; readonly n: number }[]> {
  if (projectIds.length === 0 || issueIds?.length === 0) return []
  return telemetry.query(
    `SELECT intDiv(toUnixTimestamp64Milli(timestamp) - {from:Int64}, {step:Int64}) AS bucket, ${EVENT_COUNT} AS n
     FROM events
     WHERE project_id IN {projects:Array(UInt32)} ${issueIds ? 'AND issue_id IN {issues:Array(UInt64)}' : ''}
       AND timestamp >= {from:DateTime64(3)} AND timestamp < {to:DateTime64(3)} AND ${condition.sql}
     GROUP BY bucket`,
    {
      ...condition.params,
      projects: projectIds,
      ...(issueIds && { issues: issueIds }),
      from: fromMs,
      to: toMs,
      step: stepMs,
    },
  )
}
