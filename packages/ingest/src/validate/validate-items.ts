/**
 * Which items of an envelope may pass, from their headers and sizes alone. What may not is counted
 * here, once; the pipeline skips it.
 */
import {
  type DataCategory,
  type Envelope,
  type EnvelopeItem,
  ITEM_MAX_BYTES,
  itemKind,
  itemQuantity,
  needsEventId,
  type OutcomeReason,
  type RateLimit,
  type SizeLimit,
} from '@sonde/protocol'
import type { KeyInfo } from '@sonde/stores/keys'
import type { RateLimiter } from './rate-limiter.ts'
import { countSpanIds } from './span-caps.ts'

export type ItemVerdict =
  | { readonly outcome: 'pass' }
  | { readonly outcome: 'invalid'; readonly reason: OutcomeReason<'invalid'> }
  | { readonly outcome: 'rate_limited'; readonly reason: OutcomeReason<'rate_limited'> }

export type ItemsVerdict = {
  /** Indexes of refused items, ascending. */
  readonly skip: readonly number[]
  readonly refused: readonly RefusedItem[]
  readonly rateLimits: readonly RateLimit[]
  readonly needsEventId: boolean
  /** An item that the envelope exists for is too large: nothing of it is taken. */
  readonly tooLarge?: { readonly type: string; readonly maxBytes: number }
}
export type RefusedItem = {
  readonly category: DataCategory
  readonly outcome: 'invalid' | 'rate_limited'
  readonly reason: OutcomeReason<'invalid' | 'rate_limited'>
  readonly quantity: number
}

/**
 * Too large: is the envelope refused (413), or only the item? An event that silently misses would be
 * looked for; an error whose screenshot misses is still an error. If nothing else is left, it is 413 too.
 */
const REFUSES_ENVELOPE: { readonly [limit in SizeLimit]: boolean } = {
  event: true,
  checkIn: true,
  container: true,
  replay: true,
  attachment: false,
  profile: false,
  clientReport: false,
  session: false,
  metric: false,
  unknown: false,
}

/** Useless without the item they came with: they share its fate. */
const FOLLOWERS: ReadonlySet<string> = new Set(['attachment', 'profile', 'form_data'])
/** An envelope is about one event or one transaction, never both. */
const SLOTS: ReadonlyMap<string, string> = new Map([['transaction', 'event']])

const PASS: ItemVerdict = { outcome: 'pass' }

export type AttachmentRules = {
  /** What this installation takes, at most what the protocol's table says. */
  readonly maxBytes?: number
  /** None are taken now: too little of the disk is free. */
  readonly areRefused?: boolean
}

/** Space is made by a person, or with the night's deletions. */
const DISK_RETRY_SEC = 300

export function validateItems(
  envelope: Envelope,
  key: KeyInfo,
  limiter: RateLimiter,
  attachments: AttachmentRules = {},
): ItemsVerdict {
  const { items } = envelope
  const maxAttachmentBytes = attachments.maxBytes ?? ITEM_MAX_BYTES.attachment
  const maxBytesOf = ({ header }: EnvelopeItem): number =>
    header.type === 'attachment' ? maxAttachmentBytes : ITEM_MAX_BYTES[itemKind(header.type).sizeLimit]
  const verdicts: ItemVerdict[] = []
  const rateLimits = new Map<string, RateLimit>()
  const seen = new Map<string, number>()
  const judge = (item: EnvelopeItem): ItemVerdict => {
    const { type } = item.header
    const kind = itemKind(type)
    if (item.payload.byteLength > maxBytesOf(item)) return { outcome: 'invalid', reason: 'too_large' }
    const slot = SLOTS.get(type) ?? type
    const position = (seen.get(slot) ?? 0) + 1
    seen.set(slot, position)
    if (position > kind.perEnvelope)
      return { outcome: 'invalid', reason: kind.perEnvelope === 1 ? 'duplicate_item' : 'too_many_items' }
    if (attachments.areRefused && kind.category === 'attachment') {
      const [reason, scope] = ['disk_low', 'organization'] as const
      rateLimits.set(reason, { retryAfterSec: DISK_RETRY_SEC, categories: [kind.category], scope, reason })
      return { outcome: 'rate_limited', reason }
    }
    const quantity = itemQuantity(item.header)
    const spans = spansIn(item, quantity)
    const { category, neverLimited: isNeverLimited = false } = kind
    const verdict = limiter(key, {
      category,
      quantity,
      bytes: item.payload.byteLength,
      isNeverLimited,
      ...(spans ? { spans } : {}),
    })
    if (verdict.ok) return PASS
    const { retryAfterSec, scope, reason, categories = [category] } = verdict
    rateLimits.set(`${scope}:${categories.join(';')}`, { retryAfterSec, categories, scope, reason })
    return { outcome: 'rate_limited', reason }
  }

  let leader: ItemVerdict | undefined
  let hasFollowers = false
  let tooLarge: ItemsVerdict['tooLarge']
  for (const [index, item] of items.entries()) {
    if (isFollower(item)) {
      hasFollowers = true
      continue
    }
    const verdict = judge(item)
    verdicts[index] = verdict
    if (leader?.outcome !== 'pass' && needsEventId(item.header)) leader = verdict
    if (verdict.outcome === 'invalid' && verdict.reason === 'too_large')
      tooLarge ??= refusesAll(item, maxBytesOf(item))
  }
  if (hasFollowers)
    for (const [index, item] of items.entries())
      if (isFollower(item)) verdicts[index] = leader && leader.outcome !== 'pass' ? leader : judge(item)
  return conclude(items, verdicts, [...rateLimits.values()], tooLarge, maxBytesOf)
}

function conclude(
  items: readonly EnvelopeItem[],
  verdicts: readonly ItemVerdict[],
  rateLimits: readonly RateLimit[],
  tooLarge: ItemsVerdict['tooLarge'],
  maxBytesOf: (item: EnvelopeItem) => number,
): ItemsVerdict {
  const skip: number[] = []
  const refused: RefusedItem[] = []
  let needsId = false
  let largest: EnvelopeItem | undefined
  for (const [index, item] of items.entries()) {
    const verdict = tooLarge ? TOO_LARGE : (verdicts[index] ?? PASS)
    if (verdict.outcome === 'pass') {
      needsId ||= needsEventId(item.header)
      continue
    }
    skip.push(index)
    const { outcome, reason } = verdict
    if (reason === 'too_large') largest ??= item
    refused.push({
      category: itemKind(item.header.type).category,
      outcome,
      reason,
      quantity: itemQuantity(item.header),
    })
  }
  const nothingLeft = skip.length === items.length && rateLimits.length === 0
  const whole =
    tooLarge ??
    (nothingLeft && largest ? { type: largest.header.type, maxBytes: maxBytesOf(largest) } : undefined)
  return { skip, refused, rateLimits, needsEventId: needsId, ...(whole ? { tooLarge: whole } : {}) }
}

/** Undefined: what the header says is all there is to know. */
function spansIn(item: EnvelopeItem, quantity: number): (() => number) | undefined {
  const { type } = item.header
  if (type !== 'transaction' && type !== 'span') return undefined
  // A container says itself how many it holds; whoever wants past a limit says less.
  let known: number | undefined
  return () => (known ??= Math.max(quantity, countSpanIds(item)))
}

const TOO_LARGE: ItemVerdict = { outcome: 'invalid', reason: 'too_large' }

function isFollower(item: EnvelopeItem): boolean {
  return FOLLOWERS.has(item.header.type) && needsEventId(item.header)
}

function refusesAll({ header: { type } }: EnvelopeItem, maxBytes: number): ItemsVerdict['tooLarge'] {
  return REFUSES_ENVELOPE[itemKind(type).sizeLimit] ? { type, maxBytes } : undefined
}
