/** What copies of one error cost has a bound: the commit that `npm run bench -- --noise` measures, with a twentieth as many. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Committed } from './commit-copies.ts'

const COPIES = 50_000
const USERS = 5_000
/**
 * Measured: 0.77 MB, of which 0.20 are ids of what is not stored, 0.11 users, 0.05 records, and the rest some 2,350 rows.
 * With 10,000 whole rows those alone take more. A million: docs/noise.md.
 */
const MOST_BYTES = 850_000
/** Measured: 6 s of one core. */
const MOST_CPU_MS = 20_000
/** 1,000 whole, 1 in 10 of 9,000, 1 in 100 of 40,000, and one for each batch that has none. */
const MOST_ROWS = 2_600

describe('copies of one error', () => {
  it('cost little, are counted exactly with their users, and cost other issues nothing', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--conditions=@sonde/source',
      join(import.meta.dirname, 'commit-copies.ts'),
      String(COPIES),
      String(USERS),
      '--merge',
      '--batch=2000',
    ])
    const { bytes, cpuMs, counted, events, rows, users, otherRows, otherCounted, otherSent } = JSON.parse(
      stdout,
    ) as Committed
    const stored = Object.values(bytes).reduce((sum, each) => sum + each, 0)
    assert.ok(stored <= MOST_BYTES, `${stored} bytes: ${JSON.stringify(bytes)}`)
    assert.ok(rows <= MOST_ROWS, `${rows} rows`)
    assert.deepEqual({ counted, events }, { counted: COPIES, events: COPIES })
    assert.ok(Math.abs(users - USERS) <= USERS * 0.02, `${users} users`)
    assert.deepEqual({ otherRows, otherCounted }, { otherRows: otherSent, otherCounted: otherSent })
    assert.ok(cpuMs <= MOST_CPU_MS, `${cpuMs} ms of processor time`)
  })
})
