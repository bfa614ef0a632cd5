import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newEventId, normalizeEventId } from '@sonde/protocol/event-id'
import * as fc from 'fast-check'

const ID = '9ec79c33ec9942ab8353589fcb2e04dc'

for (const text of [
  ID,
  ID.toUpperCase(),
  '9ec79c33-ec99-42ab-8353-589fcb2e04dc',
  '9EC79C33-EC99-42AB-8353-589FCB2E04DC',
]) {
  test(`${text} is an event id`, () => assert.equal(normalizeEventId(text), ID))
}

for (const value of [
  '',
  ID.slice(1),
  `${ID}0`,
  ` ${ID}`,
  `${ID}\n`,
  '9ec79c33ec99-42ab-8353-589fcb2e04dc',
  `g${ID.slice(1)}`,
  7,
  null,
  undefined,
  {},
  [ID],
]) {
  test(`${JSON.stringify(value)} is no event id`, () => assert.equal(normalizeEventId(value), undefined))
}

test('any UUID gives the same id with and without hyphens', () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      const plain = uuid.replaceAll('-', '')
      assert.equal(normalizeEventId(uuid), plain)
      assert.equal(normalizeEventId(plain.toUpperCase()), plain)
    }),
  )
})

test('a new id is a UUID of version 4, and another one each time', () => {
  const ids = new Set(Array.from({ length: 1000 }, newEventId))
  assert.equal(ids.size, 1000)
  for (const id of ids) assert.match(id, /^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
})
