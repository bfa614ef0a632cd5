import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEnvelope, EnvelopeError, parseEnvelope, serializeEnvelope } from '@sonde/protocol/envelope'
import * as fc from 'fast-check'

const json = fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as unknown)
const fields = fc.dictionary(fc.string({ maxLength: 8 }), json, { maxKeys: 4 })
const payload = fc.uint8Array({ maxLength: 64 })
const oneLine = payload.map((bytes) => bytes.filter((byte) => byte !== 0x0a))
const blank = fc
  .array(fc.constantFrom('\n', ' \n', '\t\r\n'), { maxLength: 3 })
  .map((lines) => lines.join(''))

/** One item as a sender may write it: length or none, space and blank lines before, unknown fields. */
const wireItem = fc
  .record({
    lead: blank,
    indent: fc.constantFrom('', ' ', '\t'),
    fields,
    hasLength: fc.boolean(),
    payload,
    oneLine,
  })
  .map((item) => {
    const body = item.hasLength ? item.payload : item.oneLine
    const { length: _, ...rest } = item.fields
    const header = { ...rest, type: 'x', ...(item.hasLength ? { length: body.byteLength } : {}) }
    return { bytes: join(`\n${item.lead}${item.indent}${JSON.stringify(header)}\n`, body), payload: body }
  })
const wireEnvelope = fc
  .record({
    fields,
    items: fc.array(wireItem, { maxLength: 5 }),
    end: fc.constantFrom('', '\n', '\n\n', '\n \n'),
  })
  .map(({ fields: header, items, end }) => ({
    items,
    bytes: join(JSON.stringify(header), ...items.map((item) => item.bytes), end),
  }))

function join(...parts: (string | Uint8Array)[]): Uint8Array {
  return new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))),
  )
}

test('parse then serialise gives the very same bytes, and the payloads that were put in', () => {
  fc.assert(
    fc.property(wireEnvelope, ({ bytes, items }) => {
      const envelope = parseEnvelope(bytes)
      assert.deepEqual(
        envelope.items.map((item) => item.payload),
        items.map((item) => item.payload),
      )
      assert.deepEqual(serializeEnvelope(envelope), bytes)
    }),
    { numRuns: 500 },
  )
})

test('what is created from objects survives the wire', () => {
  const item = fc.record({ header: fields.map((rest) => ({ ...rest, type: 't' })), payload })
  fc.assert(
    fc.property(fields, fc.array(item, { maxLength: 5 }), (header, items) => {
      const created = createEnvelope(header, items)
      const parsed = parseEnvelope(serializeEnvelope(created))
      assert.deepEqual(
        parsed.items.map((one) => one.payload),
        items.map((one) => one.payload),
      )
      assert.deepEqual(serializeEnvelope(parsed), serializeEnvelope(created))
    }),
  )
})

test('arbitrary and damaged bytes parse, or fail with an EnvelopeError that points into the body', () => {
  const damage = fc.array(fc.record({ at: fc.nat(), byte: fc.nat(255), cut: fc.nat(3) }), {
    minLength: 1,
    maxLength: 5,
  })
  const damaged = fc.tuple(wireEnvelope, damage).map(([{ bytes }, hits]) => {
    const copy = [...bytes]
    for (const { at, byte, cut } of hits) copy.splice(at % Math.max(1, copy.length), cut, byte)
    return Uint8Array.from(copy)
  })
  fc.assert(
    fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 200 })), (bytes) => {
      try {
        assert.deepEqual(serializeEnvelope(parseEnvelope(bytes)), bytes)
      } catch (error) {
        if (!(error instanceof EnvelopeError)) throw error
        assert.ok(error.offset >= 0 && error.offset <= bytes.byteLength)
      }
    }),
    { numRuns: 2000 },
  )
})

test('hostile bodies of 8 MiB cost milliseconds, not minutes', () => {
  const size = 8 * 1024 * 1024
  const bodies = ['\n', ' ', '{', '{}\n', '[', '"', '\\', '{"type":"a"}\n'].flatMap((unit) => {
    const run = new TextEncoder().encode(unit.repeat(Math.ceil(size / unit.length)))
    return [
      run,
      join('{}\n', run),
      join('{}\n{"type":"a"}\n', run),
      join('{}\n{"type":"a","length":3}\n', run),
    ]
  })
  for (const body of bodies) {
    const startMs = performance.now()
    try {
      parseEnvelope(body)
    } catch (error) {
      assert.ok(error instanceof EnvelopeError)
    }
    // Some 10 ms here; a quadratic scan would take minutes.
    assert.ok(performance.now() - startMs < 2000)
  }
})
