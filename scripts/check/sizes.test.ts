import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sizeProblems } from './sizes.ts'

const limits = { app: { files: '*.js', maxGzipBytes: 1000 } }

test('a size within the limit passes', () =>
  assert.deepEqual(
    sizeProblems(limits, () => 980),
    [],
  ))
test('a size over the limit fails', () =>
  assert.match(sizeProblems(limits, () => 1001)[0] ?? '', /allowed are 1000/))
test('a size far under the limit asks to lower it', () =>
  assert.match(sizeProblems(limits, () => 940)[0] ?? '', /lower its limit/))
test('a limit that matches no file fails', () =>
  assert.match(sizeProblems(limits, () => 0)[0] ?? '', /nothing matches/))
