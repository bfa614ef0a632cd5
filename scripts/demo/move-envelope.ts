/** An envelope as if it had been sent at another time: moved timestamps, new ids, the rest untouched. */
import { randomBytes } from 'node:crypto'
import { createEnvelope, type Envelope, serializeEnvelope } from '@sonde/protocol/envelope'
import { PAGE_START_ATTRIBUTE } from '@sonde/protocol/navigation'

export type Move = {
  readonly shiftMs: number
  /** Old id → new one, so that what belonged together still does. Filled while moving. */
  readonly ids: Map<string, string>
}

const TIMES = new Set(['timestamp', 'start_timestamp', 'end_timestamp'])
/** Ids stand under many names, in attributes as `value`: they are known by their look, which the project's key shares. */
const ID = /^(?:[0-9a-f]{16}|[0-9a-f]{32})$/
const KEPT = new Set(['public_key'])

export function moveEnvelope({ header, items }: Envelope, move: Move): Uint8Array<ArrayBuffer> {
  const moved = createEnvelope(
    // It is sent now: a server would take another time for a wrong clock, and move everything back.
    { ...(moveValue(header, '', move) as object), sent_at: new Date().toISOString() },
    items.map((item) => ({ header: item.header, payload: movePayload(item.payload, move) })),
  )
  return new Uint8Array(serializeEnvelope(moved))
}

function movePayload(payload: Uint8Array, move: Move): Uint8Array | string {
  const text = Buffer.from(payload).toString('utf8')
  if (!text.startsWith('{')) return payload
  return JSON.stringify(moveValue(JSON.parse(text), '', move))
}

function moveValue(value: unknown, key: string, move: Move): unknown {
  if (Array.isArray(value)) return value.map((inner) => moveValue(inner, '', move))
  if (key === PAGE_START_ATTRIBUTE) {
    const { type, value: atMs } = value as { readonly type: string; readonly value: number }
    return { type, value: atMs + move.shiftMs }
  }
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, moveValue(inner, name, move)]),
    )
  if (TIMES.has(key)) return moveTime(value, move.shiftMs)
  if (typeof value === 'string' && ID.test(value) && !KEPT.has(key)) return newId(value, move.ids)
  return value
}

function moveTime(value: unknown, shiftMs: number): unknown {
  if (typeof value === 'number') return value + shiftMs / 1000
  const atMs = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(atMs) ? value : new Date(atMs + shiftMs).toISOString()
}

function newId(id: string, ids: Map<string, string>): string {
  const known = ids.get(id)
  if (known !== undefined) return known
  const made = randomBytes(id.length / 2).toString('hex')
  ids.set(id, made)
  return made
}
