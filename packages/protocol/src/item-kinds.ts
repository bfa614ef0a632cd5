/** What is known about each item type, as data: https://develop.sentry.dev/sdk/data-model/envelope-items/ */
import type { ItemHeader } from './envelope/envelope.ts'
import type { DataCategory, OutcomeReason } from './outcome.ts'
import type { SizeLimit } from './size-limits.ts'

export type ItemKind = {
  /** Where it is counted and limited. */
  readonly category: DataCategory
  /** Without an event id in the envelope header one is made up for it. */
  readonly needsEventId: boolean
  /** How many of the type one envelope may hold. */
  readonly perEnvelope: number
  readonly sizeLimit: SizeLimit
  /**
   * `stored`: shown on a screen. `tallied`: its content goes into the counts. `counted`: only that it
   * came is counted, with the reason in `unsupported`.
   */
  readonly handling: 'stored' | 'tallied' | 'counted'
  readonly unsupported?: OutcomeReason<'unsupported'>
  /** Never refused for a quota: losing it would make the counts themselves wrong, or a person's words. */
  readonly neverLimited?: true
}

// Upstream's highest number of items of one kind (sessions, client reports).
const MANY = 100

const DISCONTINUED = { handling: 'counted', unsupported: 'discontinued' } as const
const INTERNAL = { handling: 'counted', unsupported: 'internal_kind' } as const

const METRIC = {
  category: 'metric_bucket',
  needsEventId: false,
  perEnvelope: MANY,
  sizeLimit: 'metric',
  ...DISCONTINUED,
} as const
const OTEL = {
  category: 'default',
  needsEventId: false,
  perEnvelope: MANY,
  sizeLimit: 'container',
  ...INTERNAL,
} as const

export const ITEM_KINDS = {
  // `error` until the payload is read; a message then counts as `default`, a CSP report as `security`.
  event: { category: 'error', needsEventId: true, perEnvelope: 1, sizeLimit: 'event', handling: 'stored' },
  transaction: {
    category: 'transaction',
    needsEventId: true,
    perEnvelope: 1,
    sizeLimit: 'event',
    handling: 'stored',
  },
  // Up to 25 of the standalone form, or one container.
  span: {
    category: 'span',
    needsEventId: false,
    perEnvelope: 25,
    sizeLimit: 'container',
    handling: 'stored',
  },
  session: {
    category: 'session',
    needsEventId: false,
    perEnvelope: MANY,
    sizeLimit: 'session',
    handling: 'stored',
  },
  sessions: {
    category: 'session',
    needsEventId: false,
    perEnvelope: MANY,
    sizeLimit: 'session',
    handling: 'stored',
  },
  client_report: {
    category: 'internal',
    needsEventId: false,
    perEnvelope: MANY,
    sizeLimit: 'clientReport',
    neverLimited: true,
    handling: 'tallied',
  },
  attachment: {
    category: 'attachment',
    needsEventId: true,
    perEnvelope: 30,
    sizeLimit: 'attachment',
    handling: 'stored',
  },
  // Of upstream's category names the only one that means user reports.
  user_report: {
    category: 'user_report_v2',
    needsEventId: true,
    perEnvelope: 1,
    sizeLimit: 'event',
    neverLimited: true,
    handling: 'stored',
  },
  feedback: {
    category: 'feedback',
    needsEventId: true,
    perEnvelope: 1,
    sizeLimit: 'event',
    handling: 'stored',
  },
  check_in: {
    category: 'monitor',
    needsEventId: false,
    perEnvelope: 1,
    sizeLimit: 'checkIn',
    handling: 'stored',
  },
  log: {
    category: 'log_item',
    needsEventId: false,
    perEnvelope: 1,
    sizeLimit: 'container',
    handling: 'stored',
  },
  // Web vitals among them, which are rows of their pages.
  trace_metric: {
    category: 'trace_metric',
    needsEventId: false,
    perEnvelope: 1,
    sizeLimit: 'container',
    handling: 'stored',
  },
  profile: {
    category: 'profile',
    needsEventId: true,
    perEnvelope: 1,
    sizeLimit: 'profile',
    handling: 'stored',
  },
  profile_chunk: {
    category: 'profile_chunk',
    needsEventId: false,
    perEnvelope: MANY,
    sizeLimit: 'profile',
    handling: 'stored',
  },
  profile_chunk_ui: {
    category: 'profile_chunk',
    needsEventId: false,
    perEnvelope: MANY,
    sizeLimit: 'profile',
    handling: 'stored',
  },
  replay_event: {
    category: 'replay',
    needsEventId: true,
    perEnvelope: 1,
    sizeLimit: 'event',
    handling: 'stored',
  },
  replay_recording: {
    category: 'replay',
    needsEventId: false,
    perEnvelope: 1,
    sizeLimit: 'replay',
    handling: 'stored',
  },
  replay_video: {
    category: 'replay',
    needsEventId: false,
    perEnvelope: 1,
    sizeLimit: 'replay',
    handling: 'stored',
  },
  raw_security: {
    category: 'security',
    needsEventId: true,
    perEnvelope: 1,
    sizeLimit: 'event',
    handling: 'stored',
  },
  security: {
    category: 'security',
    needsEventId: true,
    perEnvelope: 1,
    sizeLimit: 'event',
    handling: 'stored',
  },
  nel: {
    category: 'security',
    needsEventId: true,
    perEnvelope: MANY,
    sizeLimit: 'event',
    handling: 'stored',
  },
  // Reserved: upstream's servers put the fields of a crash form into it; no SDK sends it.
  form_data: { category: 'error', needsEventId: true, perEnvelope: MANY, sizeLimit: 'event', ...INTERNAL },
  // Unpacked where it comes in: an event and its files go into the log.
  unreal_report: {
    category: 'error',
    needsEventId: true,
    perEnvelope: 1,
    sizeLimit: 'attachment',
    handling: 'stored',
  },
  statsd: METRIC,
  metric_buckets: METRIC,
  metric_meta: METRIC,
  // The bodies of OTLP requests as their door took them.
  otel_traces_data: {
    category: 'span',
    needsEventId: false,
    perEnvelope: 1,
    sizeLimit: 'container',
    handling: 'stored',
  },
  otel_logs_data: {
    category: 'log_item',
    needsEventId: false,
    perEnvelope: 1,
    sizeLimit: 'container',
    handling: 'stored',
  },
  otel_metrics_data: {
    category: 'trace_metric',
    needsEventId: false,
    perEnvelope: 1,
    sizeLimit: 'container',
    handling: 'stored',
  },
  // Made inside upstream's own servers; SDKs do not send them.
  otel_span: OTEL,
  otel_log: OTEL,
  integration: OTEL,
} as const satisfies Record<string, ItemKind>
export type ItemType = keyof typeof ITEM_KINDS

/** A type that nobody knows is not an error: it is counted under its own name, per SDK. */
export const UNKNOWN_ITEM_KIND: ItemKind = {
  category: 'default',
  needsEventId: false,
  perEnvelope: MANY,
  sizeLimit: 'unknown',
  handling: 'counted',
  unsupported: 'unknown_kind',
}

export function itemKind(type: string): ItemKind {
  return isItemType(type) ? ITEM_KINDS[type] : UNKNOWN_ITEM_KIND
}

export function isItemType(type: string): type is ItemType {
  return Object.hasOwn(ITEM_KINDS, type)
}

export function categoryOf(header: ItemHeader): DataCategory {
  return itemKind(header.type).category
}

/** Attachments that belong to a trace (`span_id`, null included, or `meta_length`) have no event. */
export function needsEventId(header: ItemHeader): boolean {
  if (header.type === 'attachment' && ('span_id' in header || 'meta_length' in header)) return false
  return itemKind(header.type).needsEventId
}

// A container holds at most 1,000 spans upstream; logs and metrics are far below this.
const MAX_ITEM_COUNT = 10_000

/** How many things to count: `item_count` of a container, else 1. The header is not trusted blindly. */
export function itemQuantity(header: ItemHeader): number {
  const count = header['item_count']
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 1) return 1
  return Math.min(count, MAX_ITEM_COUNT)
}
