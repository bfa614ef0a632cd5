import { categoryOf } from '@sonde/protocol/issue-category'
import type { Assignee, EventBars, IssueDetail, IssueListRow, IssueMarks, IssueRow } from '@sonde/queries'
import { REVIEW_DAYS } from '@sonde/stores'
import { z } from 'zod'
import { isoDate, Time } from './date.ts'
import { TagSummary, tagSummaryJson } from './tag.ts'

/** A team's name is its slug, without the `#`, and it has no address: so it is in Sentry's API. */
export const Owner = z
  .object({
    type: z.enum(['user', 'team']),
    id: z.string(),
    name: z.string(),
    email: z.string().optional(),
  })
  .meta({ id: 'Owner' })

const Stats = z
  .record(z.string(), z.array(z.tuple([z.number(), z.number()])))
  .meta({ description: 'By period: pairs of Unix seconds and a number of events.' })

const StatusDetails = z
  .object({
    inRelease: z.string().optional(),
    inNextRelease: z.boolean().optional(),
    ignoreUntil: Time.optional(),
    ignoreCount: z.number().optional(),
    ignoreWindow: z.number().optional(),
    ignoreUserCount: z.number().optional(),
    ignoreUserWindow: z.number().optional(),
  })
  .meta({ description: 'In which release it is resolved, or what ends that it is ignored.' })

/** Also of an event, from which an issue has it. */
export const IssueMetadata = z.record(z.string(), z.string()).meta({
  description:
    'Of an exception `type`, `value`, `filename` and `function`, of feedback `message`, `contact_email` and `name`, else `title`; each may be absent.',
})

const Inbox = z
  .object({ reason: z.int(), reason_details: z.null(), date_added: Time })
  .nullable()
  .meta({ description: 'Why somebody should look at it; null: nobody needs to.' })

/** What Sentry fills from plugins and integrations, of which Sonde has none. */
const Nothing = z.array(z.never()).meta({ description: 'Always empty.' })

const Issue = z.object({
  id: z.string(),
  shareId: z.null(),
  shortId: z.string(),
  title: z.string(),
  culprit: z.string(),
  permalink: z.url(),
  logger: z.string().nullable(),
  level: z.string(),
  status: z.enum(['resolved', 'unresolved', 'ignored']),
  statusDetails: StatusDetails,
  substatus: z.string().nullable(),
  isPublic: z.boolean(),
  platform: z.string(),
  project: z.object({ id: z.string(), name: z.string(), slug: z.string(), platform: z.string() }),
  type: z.string(),
  issueType: z.string(),
  issueCategory: z.string(),
  priority: z.string(),
  metadata: IssueMetadata,
  count: z.string(),
  firstSeen: Time,
  lastSeen: Time,
  isUnhandled: z.boolean(),
  assignedTo: Owner.nullable(),
  isBookmarked: z.boolean(),
  isSubscribed: z.boolean(),
  subscriptionDetails: z
    .object({ reason: z.string().optional(), disabled: z.boolean().optional() })
    .nullable(),
  hasSeen: z.boolean(),
  annotations: Nothing,
  numComments: z.int(),
  userCount: z.int(),
  stats: Stats,
  inbox: Inbox.optional(),
})

const OwnerOfRule = z.object({ type: z.string(), owner: z.string(), date_added: z.null() })

export const IssueInList = Issue.extend({ owners: z.array(OwnerOfRule).nullable().optional() }).meta({
  id: 'Issue',
})

const Person = z.object({ type: z.literal('user'), id: z.string(), name: z.string(), email: z.string() })

const ReleaseName = z.object({ version: z.string(), shortVersion: z.string() })

export const Activity = z
  .object({
    id: z.string(),
    type: z.string(),
    user: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: 'Null: no person did it.' }),
    data: z.record(z.string(), z.unknown()).meta({
      description:
        'What was done, by `type`: of `note` its `text`, `mentions` and `reactions`, of `set_resolved_in_release` the `version`, of others what was stored with it.',
    }),
    dateCreated: Time,
  })
  .meta({ id: 'Activity' })

/** Without who did what to it. */
export const IssueWithTags = Issue.extend({
  firstRelease: ReleaseName.nullable(),
  lastRelease: ReleaseName.nullable(),
  tags: z.array(TagSummary),
  userReportCount: z.int(),
  pluginActions: Nothing,
  pluginIssues: Nothing,
  pluginContexts: Nothing,
}).meta({ id: 'IssueWithTags' })

export const IssueWithAll = IssueWithTags.extend({
  activity: z.array(Activity),
  seenBy: z.array(Person.extend({ lastSeen: Time })),
  participants: z.array(Person),
  undo: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'Sent alone to the same path it takes the change back.' }),
  shareId: z.string().nullable().meta({ description: 'Of a link that was just made.' }),
}).meta({ id: 'IssueDetail' })

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
  tags: detail.tags.map(tagSummaryJson),
  userReportCount: 0,
  pluginActions: [],
  pluginIssues: [],
  pluginContexts: [],
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
    annotations: [],
    numComments: 0,
  }
}

const assigneeJson = (assignee: Assignee | undefined) =>
  assignee === undefined
    ? null
    : assignee.type === 'team'
      ? { type: 'team' as const, id: assignee.id, name: assignee.name.replace('#', '') }
      : { type: 'user' as const, id: assignee.id, name: assignee.name, email: assignee.email }

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
