import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEnvelope, parseEnvelope, serializeEnvelope } from '@sonde/protocol/envelope'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (payload: Uint8Array) => new TextDecoder().decode(payload)

test('an envelope made of objects is written with byte lengths', () => {
  const envelope = createEnvelope({ event_id: 'a' }, [
    { header: { type: 'event' }, payload: { message: '€' } },
    { header: { type: 'attachment', filename: 'x' }, payload: 'two\nlines' },
    { header: { type: 'attachment', length: 99 }, payload: Uint8Array.of(0x21) },
  ])
  const body = [
    '{"event_id":"a"}',
    '{"type":"event","length":17}',
    '{"message":"€"}',
    '{"type":"attachment","filename":"x","length":9}',
    'two\nlines',
    '{"type":"attachment","length":1}',
    '!',
    '',
  ].join('\n')
  assert.equal(text(serializeEnvelope(envelope)), body)
  assert.deepEqual(parseEnvelope(serializeEnvelope(envelope)).items, envelope.items)
})

test('items can be left out and reordered: what is written parses to just these', () => {
  // The last one ends the body with its header: put first, it needs the newline it never had.
  const parsed = parseEnvelope(bytes('{}\n\n{"type":"a"}\n1\n{"type":"b","length":2}\n\n\n\n{"type":"c"}'))
  const [a, b, c] = parsed.items
  assert.ok(a && b && c)
  for (const items of [[c, a], [c], [b, c, a], [c, c], [a, b], []]) {
    const again = parseEnvelope(serializeEnvelope({ ...parsed, items }))
    assert.deepEqual(
      again.items.map((item) => [item.header.type, text(item.payload)]),
      items.map((item) => [item.header.type, text(item.payload)]),
    )
  }
})
