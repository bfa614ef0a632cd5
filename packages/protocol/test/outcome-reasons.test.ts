import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OUTCOME_REASONS, OUTCOMES } from '../src/outcome.ts'

test('a reason belongs to one outcome: what is counted can be told from the reason', () => {
  const reasons = Object.values(OUTCOME_REASONS).flatMap((each) => Object.keys(each))
  assert.equal(new Set(reasons).size, reasons.length)
})

test('every reason is snake case and means something, in one line', () => {
  for (const [outcome, reasons] of Object.entries(OUTCOME_REASONS)) {
    assert.ok((OUTCOMES as readonly string[]).includes(outcome))
    for (const [reason, meaning] of Object.entries(reasons)) {
      assert.match(reason, /^[a-z]+(?:_[a-z]+)*$/)
      assert.match(meaning, /^[A-Z][^|\n]{10,120}\.$/, reason)
    }
  }
})
