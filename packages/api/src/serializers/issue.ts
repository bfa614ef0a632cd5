import { categoryOf } from '@sonde/protocol/issue-category'
import type {
  Assignee,
  EventBars,
  IssueDetail,
  IssueListRow,
  IssueMarks,
  IssueRow,
  TagKey,
  TagSummary,
  TagValue,
} from '@sonde/queries'
import { REVIEW_DAYS } from '@sonde/stores'
import { isoDate } from './date.ts'

export const tagSummaryJson = (tag: TagSummary) => ({
  key: tag.key,
  name: nameOf(tag.key),
  totalValues: tag.total,
  uniqueValues: tag.distinct,
  topValues: tag.values.map((value) => tagValueJson(tag.key, value)),
})

export const tagKeyJson = ({ key, count }: TagKey) => ({ key, name: nameOf(key), totalValues: count })

export const tagValueJson = (key: string, value: Omit<TagValue, 'share'>) => ({
  key,
  name: value.value,
  value: value.value,
  count: value.count,
  firstSeen: isoDate(value.firstSeenMs),
  lastSeen: isoDate(value.lastSeenMs),
})

/** `server_name` → `Server Name`. */
const nameOf = (key: string): string =>
  key.replaceAll('_', ' ').replace(/(^| )[a-z]/g, (start) => start.toUpperCase())

export type IssuePlace = { readonly publicUrl: string; readonly orgSlug: string }

/** `count` is a string and `userCount` a number: so it is in Sentry's API. */
export const issueListJson = (row: IssueListRow, place: IssuePlace) => ({
  ...issueJson(row, place),
  userCount: row.userCount,
  stats: { [row.bars.period]: statsJson(row.bars) },
})

export const issueDetailJson = (detail: IssueDetail, place: IssuePlace) => ({
  ...issueJson(detail, place),
  userCount: detail.userCount,
  stats: { '24h': statsJson(detail.bars24h), '14d': statsJson(detail.bars14d) },
  firstRelease: releaseJson(detail.firstRelease),
  lastRelease: releaseJson(detail.lastRelease),
  tags: detail.tags.map((tag) => tagSummaryJson(tag)),
  userReportCount: 0,
  pluginActions: [] as unknown[],
  pluginIssues: [] as unknown[],
  pluginContexts: [] as unknown[],
})

function issueJson(row: IssueRow & IssueMarks, { publicUrl, orgSlug }: IssuePlace) {
  return {
    id: String(row.id),
    shareId: null,
    shortId: row.shortId,
    title: row.title,
    culprit: row.culprit,
    permalink: `${publicUrl}/${orgSlug}/${row.project.slug}/issues/${row.id}`,
    logger: row.logger === '' ? null : row.logger,
    level: row.level,
    status: row.status,
    statusDetails: statusDetailsJson(row),
    substatus: row.substatus === '' ? null : row.substatus,
    isPublic: false,
    platform: row.platform,
    project: {
      id: String(row.project.id),
      name: row.project.name,
      slug: row.project.slug,
      platform: row.project.platform,
    },
    type: row.type,
    issueType: categoryOf(row.type) === 'error' ? 'error' : row.type,
    issueCategory: categoryOf(row.type),
    priority: row.priority,
    metadata: row.metadata,
    count: String(row.eventCount),
    firstSeen: isoDate(row.firstSeenMs),
    lastSeen: isoDate(row.lastSeenMs),
    isUnhandled: row.isUnhandled,
    assignedTo: assigneeJson(row.assignee),
    isBookmarked: row.isBookmarked,
    isSubscribed: row.isSubscribed,
    subscriptionDetails: subscriptionJson(row),
    hasSeen: row.hasSeen,
    annotations: [] as unknown[],
    numComments: 0,
  }
}

/** A team's name is its slug, without the `#`, and it has no address: so it is in Sentry's API. */
const assigneeJson = (assignee: Assignee | undefined) =>
  assignee === undefined
    ? null
    : assignee.type === 'team'
      ? { type: 'team', id: assignee.id, name: assignee.name.replace('#', '') }
      : { type: 'user', id: assignee.id, name: assignee.name, email: assignee.email }

/** `disabled`: somebody unsubscribed; null: nothing ever subscribed them. */
function subscriptionJson({ isSubscribed, subscriptionReason }: IssueMarks) {
  if (isSubscribed) return { reason: subscriptionReason }
  return subscriptionReason === undefined ? null : { disabled: true }
}

/** Of `expand=inbox`. Numbers are those of Sentry's API. */
export function inboxJson(
  { reviewReason, reviewMs }: Pick<IssueRow, 'reviewReason' | 'reviewMs'>,
  nowMs: number,
) {
  if (reviewReason === undefined || reviewMs <= nowMs - REVIEW_DAYS * 86_400_000) return null
  return { reason: INBOX_REASONS[reviewReason], reason_details: null, date_added: isoDate(reviewMs) }
}
const INBOX_REASONS = { new: 0, unignored: 1, regression: 2, escalating: 6 } as const

/** In which release it is resolved, or what ends that it is ignored; empty for every other state. */
function statusDetailsJson(
  row: Pick<IssueRow, 'resolvedIn' | 'resolvedRelease'> & Pick<IssueMarks, 'archivedUntil'>,
) {
  const until = row.archivedUntil
  if (until)
    return {
      ...(until.untilMs !== undefined && { ignoreUntil: isoDate(until.untilMs) }),
      ...(until.events !== undefined && { ignoreCount: until.events }),
      ...(until.eventMinutes !== undefined && { ignoreWindow: until.eventMinutes }),
      ...(until.users !== undefined && { ignoreUserCount: until.users }),
      ...(until.userMinutes !== undefined && { ignoreUserWindow: until.userMinutes }),
    }
  if (row.resolvedIn === 'release') return { inRelease: row.resolvedRelease }
  return row.resolvedIn === 'next_release' ? { inNextRelease: true } : {}
}

/** Pairs of Unix seconds and a number. */
const statsJson = (bars: EventBars): readonly (readonly [number, number])[] =>
  bars.counts.map((count, bar) => [bars.startSec + bar * bars.stepSec, count] as const)

const releaseJson = (version: string) =>
  version === '' ? null : { version, shortVersion: version.replace(/^[^@]*@/, '') }
