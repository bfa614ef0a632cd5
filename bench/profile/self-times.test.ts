import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selfTimes } from './self-times.ts'

const frame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 4 })

test('adds up what each function took itself, from a time on, and up to one, without waiting', () => {
  const nodes = [
    { id: 1, callFrame: frame('(idle)') },
    { id: 2, callFrame: frame('parse$5') },
    { id: 3, callFrame: frame('parse$7') },
    { id: 4, callFrame: frame('', 'file:///app/server/chunks/src-Ab3_x-9z.js') },
  ]
  const profile = {
    nodes,
    startTime: 1_000,
    samples: [2, 1, 2, 3, 4],
    timeDeltas: [100, 500, 10, 20, 40],
  }
  assert.deepEqual(selfTimes(profile, { fromMicros: 1_200, toMicros: Infinity }), [
    ['a function in src.js:5', 40],
    ['parse', 30],
  ])
  assert.deepEqual(selfTimes(profile, { fromMicros: 0, toMicros: 1_610 })[0], ['parse', 110])
})
