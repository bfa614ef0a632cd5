import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FRAME_PROBLEMS } from '@sonde/protocol/frame-problem'
import { scriptText, unreadableText } from '../../../src/parts/scripts/script-text.ts'

const TOLD = { source: 'https://shop.example/a.js', functionName: 'n', invoker: 'BUTTON#buy.onclick' }
const PLACE = {
  ok: true,
  source: 'src/cart/recalc.ts',
  line: 88,
  column: 17,
  functionName: 'recalcTotals',
  contextLine: `  export function recalcTotals(${'x'.repeat(500)}`,
  isInApp: true,
} as const

describe('a place in a script', () => {
  it('is file, line and function of the source, with what the browser told behind it', () => {
    const { code, ...text } = scriptText({ ...TOLD, place: PLACE, unreadable: undefined })
    assert.deepEqual(text, {
      place: 'src/cart/recalc.ts:88',
      functionName: 'recalcTotals',
      reported: ['n()', 'https://shop.example/a.js', 'BUTTON#buy.onclick'],
      unreadable: undefined,
    })
    assert.ok(code.startsWith('export function') && code.length === 160, code)
  })

  it('that nobody can read is what the browser told, and why', () => {
    const unreadable = { problem: 'other_dist', detail: 'the event has no dist', release: 'shop@1' } as const
    const text = scriptText({ source: '/a.js', functionName: '', place: undefined, unreadable })
    assert.deepEqual([text.place, text.reported, text.unreadable?.short], ['', ['/a.js'], 'dist mismatch'])
    assert.equal(
      text.unreadable?.sentence,
      'Source maps of this release were uploaded under another dist (release shop@1; the event has no dist).',
    )
  })

  it('has words for every reason', () => {
    for (const problem of FRAME_PROBLEMS) {
      const { short, sentence } = unreadableText({ problem, detail: undefined, release: '' })
      assert.ok(short.length > 5 && /^[A-Z].*\w\.$/s.test(sentence), `${problem}: ${short} ${sentence}`)
    }
  })
})
