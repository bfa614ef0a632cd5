/**
 * The pages over spans of one kind, as data: which measures their tables have, by what they are split, what they are
 * sorted by. No SQL: browser code reads it too (`@sonde/queries/contract`).
 */

/** What a value is, and so how it is shown. Shares are of one, bytes are decimal, durations are milliseconds. */
export type InsightValueKind = 'rate' | 'duration' | 'share' | 'failures' | 'bytes' | 'count'

type Measure = {
  readonly name: string
  readonly kind: InsightValueKind
  /** For the heading's title. */
  readonly about: string
}

/** What is computed of a group of spans; the SQL of each is in `insight-measures.ts`. */
export const INSIGHT_MEASURES = {
  perMinute: { name: 'Per minute', kind: 'rate', about: 'Average over the selected period' },
  p50: { name: 'p50', kind: 'duration', about: 'Median duration' },
  p75: { name: 'p75', kind: 'duration', about: '75th percentile of the duration' },
  p95: { name: 'p95', kind: 'duration', about: '95th percentile of the duration' },
  timeShare: { name: 'Time spent', kind: 'share', about: 'Share of the time of everything that matches' },
  failureRate: { name: 'Failure rate', kind: 'failures', about: 'Share with an error status' },
  success: { name: '2xx', kind: 'share', about: 'Share with a status code from 200 to 299' },
  redirects: { name: '3xx', kind: 'share', about: 'Share with a status code from 300 to 399' },
  clientErrors: { name: '4xx', kind: 'failures', about: 'Share with a status code from 400 to 499' },
  serverErrors: { name: '5xx', kind: 'failures', about: 'Share with a status code from 500 to 599' },
  transferBytes: { name: 'Transferred', kind: 'bytes', about: 'Mean size over the network' },
  decodedBytes: { name: 'Decoded', kind: 'bytes', about: 'Mean size after decompression' },
  bytesPerLoad: {
    name: 'Per page load',
    kind: 'bytes',
    about: 'Bytes transferred, by the page loads that match',
  },
  blocking: { name: 'Blocking', kind: 'share', about: 'Share that blocked rendering' },
  cached: {
    name: 'From cache',
    kind: 'share',
    about: 'Share that the browser had: nothing was transferred, something was decoded',
  },
  hitRate: { name: 'Hit rate', kind: 'share', about: 'Share of the lookups that found something' },
  misses: { name: 'Misses per minute', kind: 'rate', about: 'Lookups that found nothing' },
  missMs: { name: 'Miss p75', kind: 'duration', about: '75th percentile of lookups that found nothing' },
  itemBytes: { name: 'Item size', kind: 'bytes', about: 'Mean size of an item' },
  published: { name: 'Published', kind: 'rate', about: 'Messages published per minute' },
  processed: { name: 'Processed', kind: 'rate', about: 'Messages processed per minute' },
  waitMs: { name: 'Time in queue', kind: 'duration', about: '75th percentile of the wait until processing' },
  backlog: {
    name: 'Backlog',
    kind: 'count',
    about: 'Published minus processed in the selected period; only where both sides send spans',
  },
} as const satisfies Readonly<Record<string, Measure>>
export type InsightMeasure = keyof typeof INSIGHT_MEASURES

/** By what the page of one group splits it. */
export const INSIGHT_SPLITS = {
  route: { name: 'Route', title: 'By route', about: 'Transactions that do it' },
  endpoint: { name: 'Endpoint', title: 'By endpoint', about: 'Addresses without ids' },
  operation: { name: 'Operation', title: 'By operation', about: 'Span operation' },
  code: { name: 'Status', title: 'By status code', about: 'Status code of the answer' },
} as const
export type InsightSplit = keyof typeof INSIGHT_SPLITS

export type InsightKind = {
  readonly name: string
  /** What a row is. */
  readonly row: string
  /** What is counted: one of them, many. */
  readonly noun: readonly [one: string, many: string]
  readonly measures: readonly InsightMeasure[]
  /** The greatest first. */
  readonly sort: InsightMeasure
  readonly splits: readonly InsightSplit[]
  /** What `peer` is of these spans; absent: it is not shown apart. */
  readonly peer?: string
  /** Issues that detectors found are counted by statement. */
  readonly hasIssues?: true
  /** Kind of file, and whose it is. */
  readonly hasFiles?: true
}

export const INSIGHT_KINDS = {
  queries: {
    name: 'Queries',
    row: 'Query',
    noun: ['call', 'calls'],
    measures: ['perMinute', 'p50', 'p95', 'timeShare', 'failureRate'],
    sort: 'timeShare',
    splits: ['route'],
    peer: 'System',
    hasIssues: true,
  },
  requests: {
    name: 'Requests',
    row: 'Host',
    noun: ['request', 'requests'],
    measures: [
      'perMinute',
      'success',
      'redirects',
      'clientErrors',
      'serverErrors',
      'failureRate',
      'p50',
      'p95',
      'timeShare',
    ],
    sort: 'timeShare',
    splits: ['endpoint', 'code', 'route'],
  },
  assets: {
    name: 'Assets',
    row: 'Asset',
    noun: ['load', 'loads'],
    measures: [
      'perMinute',
      'p75',
      'transferBytes',
      'decodedBytes',
      'bytesPerLoad',
      'blocking',
      'cached',
      'timeShare',
    ],
    sort: 'bytesPerLoad',
    splits: ['route'],
    hasFiles: true,
  },
  caches: {
    name: 'Caches',
    row: 'Key',
    noun: ['operation', 'operations'],
    measures: ['perMinute', 'hitRate', 'misses', 'p75', 'missMs', 'itemBytes', 'timeShare'],
    sort: 'perMinute',
    splits: ['route', 'operation'],
    peer: 'System',
  },
  queues: {
    name: 'Queues',
    row: 'Destination',
    noun: ['message', 'messages'],
    measures: ['published', 'processed', 'p50', 'p95', 'waitMs', 'failureRate', 'backlog', 'timeShare'],
    sort: 'processed',
    splits: ['operation', 'route'],
    peer: 'System',
  },
} as const satisfies Readonly<Record<string, InsightKind>>
export type InsightKindId = keyof typeof INSIGHT_KINDS
export const INSIGHT_KIND_IDS = Object.keys(INSIGHT_KINDS) as readonly InsightKindId[]

export const insightKindOf = (text: string | undefined): InsightKindId | undefined =>
  INSIGHT_KIND_IDS.find((kind) => kind === text)

export const ASSET_TYPES = ['script', 'css', 'img', 'font', 'other'] as const
export type AssetType = (typeof ASSET_TYPES)[number]
export const ASSET_OWNERS = ['own', 'third-party'] as const
export type AssetOwner = (typeof ASSET_OWNERS)[number]
