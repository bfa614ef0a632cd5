/**
 * What an SDK says it did not send, so that losses are visible. Read leniently: a report is never
 * refused. https://develop.sentry.dev/sdk/telemetry/client-reports/
 */

/** Where the loss was decided. SDKs send only `discarded`; a relay between adds the others. */
export type DiscardSource = 'discarded' | 'rate_limited' | 'filtered' | 'filtered_sampling'

export type DiscardedEvents = {
  readonly source: DiscardSource
  /** `network_error`, `sample_rate`, `before_send`, …; unknown ones are kept, cut to 64 characters. */
  readonly reason: string
  /** A `DataCategory`, or a name that only the SDK knows, cut to 64 characters. */
  readonly category: string
  readonly quantity: number
}

export type ClientReport = {
  /** The SDK's clock, Unix milliseconds. */
  readonly timestampMs?: number
  readonly discarded: readonly DiscardedEvents[]
}

const LISTS = [
  ['discarded_events', 'discarded'],
  ['rate_limited_events', 'rate_limited'],
  ['filtered_events', 'filtered'],
  ['filtered_sampling_events', 'filtered_sampling'],
] as const

const MAX_NAME_LENGTH = 64
// 15 reasons times 21 categories is the most that an honest report can hold.
const MAX_ENTRIES_PER_LIST = 400
// So that one report cannot make the counts of a project meaningless, or a sum leave the integers.
const MAX_QUANTITY = 10_000_000

/** Undefined if the payload is not a JSON object; entries without a category or a count are left out. */
export function parseClientReport(payload: Uint8Array): ClientReport | undefined {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(payload))
  } catch {
    return undefined
  }
  return readClientReport(value)
}

export function readClientReport(value: unknown): ClientReport | undefined {
  if (!isRecord(value)) return undefined
  const timestampMs = readTimestamp(value['timestamp'])
  const discarded = LISTS.flatMap(([field, source]) => readList(value[field], source))
  return { ...(timestampMs === undefined ? {} : { timestampMs }), discarded }
}

function readList(list: unknown, source: DiscardSource): DiscardedEvents[] {
  if (!Array.isArray(list)) return []
  return list
    .slice(0, MAX_ENTRIES_PER_LIST)
    .map((entry: unknown) => readEntry(entry, source))
    .filter((entry) => entry !== undefined)
}

function readEntry(entry: unknown, source: DiscardSource): DiscardedEvents | undefined {
  if (!isRecord(entry)) return undefined
  const category = readName(entry['category'])
  const quantity = readQuantity(entry['quantity'])
  if (category === undefined || !(quantity > 0)) return undefined
  return {
    source,
    reason: readName(entry['reason']) ?? 'unknown',
    category,
    quantity: Math.min(quantity, MAX_QUANTITY),
  }
}

/** `Number` throws for an object that has a key `toString`. */
function readQuantity(value: unknown): number {
  return typeof value === 'number' || typeof value === 'string' ? Math.trunc(Number(value)) : Number.NaN
}

function readName(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_NAME_LENGTH) : undefined
}

function readTimestamp(value: unknown): number | undefined {
  const ms =
    typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isFinite(ms) ? ms : undefined
}

function isRecord(value: unknown): value is { readonly [field: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
