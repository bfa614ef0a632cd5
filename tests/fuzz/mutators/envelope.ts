/** Changes to an envelope's parts: headers, lengths that lie, items of other types, payloads from elsewhere. */
import { ITEM_KINDS, parseEnvelope } from '@sonde/protocol'
import type { Random } from '../engine/random.ts'
import type { Mutate } from '../engine/target.ts'
import { changedJson } from './json.ts'
import { BOUNDARY_NUMBERS } from './odd-values.ts'

type Part = { header: Buffer; payload: Buffer }
type Parts = { header: Buffer; items: Part[] }

// Beyond what a target takes it is cut off anyway.
const MAX_COPIED = 128 * 1024
const TYPES = [...Object.keys(ITEM_KINDS), 'security', '', '__proto__', 'hologram']

export const mutateEnvelope: Mutate = (input, random, other) => {
  const parts = partsOf(input)
  if (parts === undefined) return input
  const from = partsOf(other) ?? parts
  for (let left = 1 + random.int(3); left > 0; left--) change(parts, from, random)
  return join(parts, random)
}

/** As bytes of one item, its length right. */
export function envelopeAround(header: object, payload: Uint8Array, item: object): Buffer {
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(header)}\n${JSON.stringify({ ...item, length: payload.length })}\n`),
    payload,
    Buffer.from('\n'),
  ])
}

function partsOf(input: Buffer): Parts | undefined {
  try {
    const { rawHeader, items } = parseEnvelope(input)
    return {
      header: Buffer.from(rawHeader),
      items: items.map((item) => ({
        header: Buffer.from(item.rawHeader),
        payload: Buffer.from(item.payload),
      })),
    }
  } catch {
    return undefined
  }
}

function change(parts: Parts, from: Parts, random: Random): void {
  const { items } = parts
  const item = items.length > 0 ? random.pick(items) : undefined
  const theirs = from.items.length > 0 ? random.pick(from.items) : undefined
  switch (random.int(10)) {
    case 0:
      parts.header = changedJson(parts.header, random, from.header) ?? parts.header
      return
    case 1:
      if (item) item.header = changedJson(item.header, random, theirs?.header ?? item.header) ?? item.header
      return
    case 2:
      if (item) item.header = withField(item.header, 'type', JSON.stringify(random.pick(TYPES)))
      return
    case 3:
      if (item) item.header = withField(item.header, 'item_count', random.pick(BOUNDARY_NUMBERS))
      return
    case 4:
      if (theirs) items.splice(random.int(items.length + 1), 0, { ...theirs })
      return
    case 5:
      if (item && items.length > 1) items.splice(items.indexOf(item), 1)
      return
    case 6:
      if (item) {
        const most = Math.ceil(MAX_COPIED / (item.payload.length + 1))
        for (let copies = Math.min(most, random.pick([1, 3, 120])); copies > 0; copies--)
          items.push({ ...item })
      }
      return
    default:
      if (item)
        item.payload = changedJson(item.payload, random, theirs?.payload ?? item.payload) ?? item.payload
  }
}

function join({ header, items }: Parts, random: Random): Buffer {
  const lines: Buffer[] = [header]
  for (const { header: itemHeader, payload } of items) {
    const lie = random.oneIn(12)
    const length = lie ? random.pick([...BOUNDARY_NUMBERS, '"1"', 'null', '[]']) : String(payload.length)
    lines.push(random.oneIn(15) ? itemHeader : withField(itemHeader, 'length', length), payload)
    if (random.oneIn(20)) lines.push(Buffer.alloc(random.int(3)))
  }
  return Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]))
}

/** `json` is written as it is: also what no JSON writer would write. */
function withField(header: Buffer, name: string, json: string): Buffer {
  let fields: unknown
  try {
    fields = JSON.parse(header.toString('utf8'))
  } catch {
    return header
  }
  if (typeof fields !== 'object' || fields === null) return header
  const { [name]: _old, ...rest } = fields as Record<string, unknown>
  const others = JSON.stringify(rest).slice(1, -1)
  return Buffer.from(`{${others}${others === '' ? '' : ','}${JSON.stringify(name)}:${json}}`)
}
