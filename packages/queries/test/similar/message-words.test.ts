import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { messageWords } from '../../src/similar/likeness.ts'

test('words remain, what differs each time goes', () => {
  const words = (message: string): string[] => [...messageWords(message)]
  assert.deepEqual(words('Order 4711 of 0xFF9A not found'), ['order', 'of', 'not', 'found'])
  assert.deepEqual(words('GET https://a.test/b?c=1 failed'), ['get', 'failed'])
  assert.deepEqual(words('row 85314830-023f-4cf1-a267-535f4e37bb17: bad face'), ['row', 'bad', 'face'])
  assert.deepEqual(words('utf8 and abc123g stay, abc123 goes'), ['utf8', 'and', 'abc123g', 'stay', 'goes'])
})

const MESSAGE_CHARS = 1_000

function timeOf(title: string): number {
  const startedMs = performance.now()
  for (let at = 0; at < 500; at++) messageWords(title)
  return performance.now() - startedMs
}

test('titles that are hard to read take about as long as any other', () => {
  const hard = [
    `${'1'.repeat(999)}g`,
    `0x${'a'.repeat(900)}g`,
    `${'a1'.repeat(499)}g`,
    'a'.repeat(MESSAGE_CHARS),
  ]
  const plainMs = Math.max(...[1, 2, 3].map(() => timeOf('several words '.repeat(70))))
  for (const title of hard) {
    const hardMs = Math.min(...[1, 2, 3].map(() => timeOf(title)))
    // Five times here; trying each digit as the one that is needed takes 150 times as long.
    assert.ok(hardMs < 40 * plainMs, `${title.slice(0, 5)}… took ${hardMs} ms, others take ${plainMs} ms`)
  }
})

// The plain form of the rule, which is slow only where texts are long.
const NUMBERS = /\b(?:0x)?[0-9a-f]*\d[0-9a-f]*\b/g

test('a number is what has a digit and otherwise hex digits', () => {
  const unit = fc.constantFrom('a', 'f', 'g', '0', '1', 'x', '_', ' ', '-')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 15 }), (message) => {
      const words = new Set(message.replace(NUMBERS, ' ').match(/[\p{L}\p{N}_$]+/gu))
      assert.deepEqual(messageWords(message), words)
    }),
    { numRuns: 2_000 },
  )
})
