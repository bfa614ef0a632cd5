import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeEventId } from '@sonde/protocol'
import * as fc from 'fast-check'
import { scanEventId } from '../../src/validate/payload-event-id.ts'

const ID = '9ec79c33ec9942ab8353589fcb2e04dc'
const OTHER = 'f'.repeat(32)
const HYPHENATED = '9EC79C33-EC99-42AB-8353-589FCB2E04DC'

const TABLE: readonly (readonly [name: string, payload: string, id: string | undefined])[] = [
  ['at the beginning', `{"event_id":"${ID}","message":"x"}`, ID],
  ['at the end', `{"message":"x","tags":{"a":["b"]},"event_id":"${ID}"}`, ID],
  ['with blanks', `\n{ "event_id" :\t"${ID}" }`, ID],
  ['hyphenated, in capitals', `{"event_id":"${HYPHENATED}"}`, ID],
  ['behind the id of something inside', `{"contexts":{"event_id":"${OTHER}"},"event_id":"${ID}"}`, ID],
  ['behind a text that looks like it', `{"message":"\\"event_id\\":\\"${OTHER}\\"","event_id":"${ID}"}`, ID],
  ['behind a text that ends in backslashes', `{"message":"\\\\\\\\","event_id":"${ID}"}`, ID],
  ['as a value', `{"message":"event_id","a":"${OTHER}"}`, undefined],
  ['only inside', `{"extra":{"event_id":"${OTHER}"}}`, undefined],
  ['of another form', '{"event_id":"12345"}', undefined],
  ['as a number', '{"event_id":12345}', undefined],
  ['cut', `{"event_id":"${ID.slice(0, 20)}`, undefined],
  ['beyond the first 64 KiB', `{"message":"${'x'.repeat(65_536)}","event_id":"${ID}"}`, undefined],
]
for (const [name, payload, id] of TABLE) {
  test(`an id ${name}: ${id ?? 'none'}`, () => assert.equal(scanEventId(Buffer.from(payload)), id))
}

test('what is found in JSON is what a parser finds', () => {
  const value = fc.oneof(fc.constant(ID), fc.constant(HYPHENATED), fc.jsonValue())
  const event = fc.dictionary(fc.constantFrom('event_id', 'a', '"event_id"', 'b\\'), value)
  fc.assert(
    fc.property(event, fc.constantFrom(0, 2), (fields, indent) => {
      const payload = Buffer.from(JSON.stringify(fields, undefined, indent))
      assert.equal(scanEventId(payload), normalizeEventId(fields['event_id']))
    }),
  )
})

test('no bytes make it throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      scanEventId(bytes)
      scanEventId(Buffer.concat([Buffer.from('{"event_id":"'), bytes]))
      return true
    }),
  )
})
