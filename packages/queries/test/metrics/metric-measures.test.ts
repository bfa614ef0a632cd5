import assert from 'node:assert/strict'
import { it } from 'node:test'
import { measuredText, readMeasured } from '@sonde/queries/contract'

it('writes a metric and its measure in one text, whatever its name', () => {
  for (const name of ['a', 'a,b', 'a(b)', 'p95(x,gauge,s)']) {
    const measured = { ref: { name, type: 'gauge', unit: '' }, measure: 'avg' } as const
    assert.deepEqual(readMeasured(measuredText(measured)), measured)
  }
  for (const text of [
    'p95(a,gauge,s)',
    'avg(a,gauge)',
    'avg(a,other,s)',
    '',
    `avg(${'a'.repeat(201)},gauge,s)`,
  ])
    assert.equal(readMeasured(text), undefined)
})
