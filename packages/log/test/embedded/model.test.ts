import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { logModel } from '../log-model.ts'
import { temporaryLog } from './temporary-log.ts'

void test('any sequence of appends, reads, commits and restarts reads back what was appended, once and in order', async () => {
  const open = (segmentBytes: number) =>
    temporaryLog({ segmentBytes, onCorruption: () => assert.fail('nothing was damaged') })
  await fc.assert(logModel(open), { numRuns: 60 })
})
