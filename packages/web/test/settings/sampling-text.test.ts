import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changedRows,
  draftOf,
  EMPTY_RULE,
  previewWords,
  type RuleDraft,
  ruleOf,
  ruleWords,
} from '../../src/routes/[org]/[project]/settings/sampling-text.ts'

const draft = (fields: Partial<RuleDraft>): RuleDraft => ({ ...EMPTY_RULE, percent: '10', ...fields })
const words = (...drafts: Partial<RuleDraft>[]) => ruleWords(drafts.map(draft), drafts.length - 1)

test('a rule says in words what it does', () => {
  assert.equal(words({ route: '/health*' }), 'Keeps 1 in 10 of /health*. Counts are extrapolated.')
  assert.equal(
    words({ route: '/health*', percent: '0' }),
    'Drops all of /health*. Dropped traces are neither stored nor counted.',
  )
  assert.equal(
    words({ op: 'pageload', percent: '100' }),
    'Keeps all of op pageload, overriding the rules below.',
  )
  assert.equal(
    words({ route: '/', release: 'shop@1.*', environment: 'staging', percent: '0.1' }),
    'Keeps 1 in 1,000 of / with release shop@1.* with environment staging. Counts are extrapolated.',
  )
  assert.equal(words({}), 'Keeps 1 in 10 of everything. Counts are extrapolated.')
})

test('a share that is none says nothing, and a rule that is never asked says why', () => {
  for (const percent of ['', 'many', '-1', '101']) assert.equal(words({ route: '/a', percent }), '', percent)
  assert.equal(words({ route: '/a' }, {}, { route: '/b' }), 'Unreachable: rule 2 already matches everything.')
})

test('percent become shares and back without dust', () => {
  for (const percent of ['0', '0.01', '0.1', '7', '10', '33.3', '57', '99.99', '100'])
    assert.equal(draftOf(ruleOf(draft({ percent }))).percent, percent)
  assert.equal(ruleOf(draft({ percent: ' 12,5 % ' })).rate, 0.125)
  for (const percent of ['', ' ', 'ten']) assert.ok(Number.isNaN(ruleOf(draft({ percent })).rate), percent)
})

test('buttons move, remove and add rows, and what cannot be done changes nothing', () => {
  const rows = ['a', 'b', 'c']
  const after = (does: string) => changedRows(rows, does, () => 'new').join('')
  assert.deepEqual(['up:1', 'down:0', 'up:2', 'remove:0', 'add'].map(after), [
    'bac',
    'bac',
    'acb',
    'bc',
    'abcnew',
  ])
  for (const does of ['up:0', 'down:2', 'up:9', 'up:-1', 'up:', 'remove:1.5', 'save', ''])
    assert.equal(
      changedRows(rows, does, () => 'new'),
      rows,
      does,
    )
})

test('a preview tells both numbers and the share', () => {
  assert.equal(
    previewWords({ arrived: 12_345, kept: 1_234 }),
    'These rules would have kept 1,234 of 12,345 spans of the last 24 hours (10%).',
  )
  assert.equal(previewWords({ arrived: 0, kept: 0 }), 'No spans in the last 24 hours to preview against.')
})
