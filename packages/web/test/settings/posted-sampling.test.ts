import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf } from '../../src/parts/forms/posted-fields.ts'
import { EMPTY_RULE, RULE_FIELDS } from '../../src/routes/[org]/[project]/settings/sampling-text.ts'
import {
  postedCaps,
  postedDrafts,
  postedSampling,
} from '../../src/routes/[org]/[project]/settings/try-sampling.server.ts'

function posted(rows: readonly Partial<typeof EMPTY_RULE>[], more: Readonly<Record<string, string>> = {}) {
  const form = new FormData()
  for (const row of rows) for (const field of RULE_FIELDS) form.append(field, row[field] ?? '')
  for (const [name, value] of Object.entries(more)) form.set(name, value)
  return fieldsOf(form)
}

test('rows are read in their order, and those that nobody filled in are no rules', () => {
  const rows = [{ route: '/a', percent: '10' }, {}, { op: 'db', environment: ' ' }, { percent: '5' }]
  assert.deepEqual(
    postedDrafts(posted(rows)).map(({ route, op, percent }) => [route, op, percent]),
    [
      ['/a', '', '10'],
      ['', 'db', ''],
      ['', '', '5'],
    ],
  )
  const { rules, sampleMeasured } = postedSampling(posted(rows, { sampleMeasured: 'on' }))
  assert.deepEqual([rules.map(({ rate }) => rate), sampleMeasured], [[0.1, NaN, 0.05], true])
  assert.deepEqual(postedSampling(posted([])), { rules: [], sampleMeasured: false })
})

test('caps may be written with signs between the thousands; empty is no cap, and no number is left to refuse', () => {
  const caps = (capCount: string, capPeriod: string, perMinute: string) =>
    postedCaps(posted([], { capCount, capPeriod, perMinute }))
  assert.deepEqual(caps('50 000_000', 'day', '1,000'), {
    cap: { count: 50_000_000, period: 'day' },
    perMinute: 1_000,
  })
  assert.deepEqual(caps('', 'month', ''), { cap: null, perMinute: null })
  assert.deepEqual(caps('lots', 'year', ''), { cap: { count: NaN, period: 'month' }, perMinute: null })
})
