import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askedMeasure } from '../../src/metrics/metric-measures.ts'

test('a measure as Explore writes it is read, whatever its name has in it', () => {
  const read = (text: string) => {
    const asked = askedMeasure(text)
    return asked && [asked.measure, asked.ref.name, asked.ref.type, asked.ref.unit, asked.kind, asked.unit]
  }
  assert.deepEqual(read('p95(value,http.duration,histogram,ms)'), [
    'p95',
    'http.duration',
    'histogram',
    'ms',
    'duration',
    'millisecond',
  ])
  assert.deepEqual(read('sum( value , a, (b) , counter , none )'), [
    'sum',
    'a, (b)',
    'counter',
    '',
    'number',
    null,
  ])
  assert.deepEqual(read('avg(value,memory,gauge,By)'), ['avg', 'memory', 'gauge', 'By', 'number', 'By'])
  assert.deepEqual(read('rate(orders,counter,-)'), ['rate', 'orders', 'counter', '', 'rate', '1/second'])
  assert.deepEqual(read('count(value,queue,gauge,-)')?.slice(4), ['integer', null])
  for (const none of [
    '',
    '()',
    'sum(value)',
    'sum(value,counter,none)',
    'sum(value,x,counter)',
    'p95(value,x,counter,none)',
    'max(value,x,histogram,s)',
    'sum(value,x,set,none)',
    'sum(value,x,counter,none',
    `sum(value,${'x'.repeat(400)},counter,none)`,
  ])
    assert.equal(read(none), undefined, none)
})
