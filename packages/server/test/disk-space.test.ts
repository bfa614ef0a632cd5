import assert from 'node:assert/strict'
import { statfsSync } from 'node:fs'
import { test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { diskPart } from '../src/doctor/parts.ts'
import { diskSpace, pauseMs, startDiskGuard } from '../src/front/disk-guard.ts'

const GB = 1_000_000_000
const SHARES = { attachments: 0.1, everything: 0.03 }

test('a share of a small disk, and never more than so many gigabytes of a large one, has to stay free', () => {
  const of = (sizeGb: number, freeGb: number) =>
    diskSpace(SHARES, { sizeBytes: sizeGb * GB, freeBytes: freeGb * GB })
  assert.deepEqual(
    [of(20, 2), of(20, 1.9), of(20, 0.6), of(20, 0.59)],
    ['enough', 'little', 'little', 'too-little'],
  )
  assert.deepEqual(
    [of(4_000, 10), of(4_000, 9.9), of(4_000, 1), of(4_000, 0.9)],
    ['enough', 'little', 'little', 'too-little'],
  )
})

test('without shares nothing is refused before the disk is full', () => {
  assert.equal(diskSpace({ attachments: 0, everything: 0 }, { sizeBytes: GB, freeBytes: 0 }), 'enough')
})

test('the doctor says what is refused and which setting says so', () => {
  const of = (freeGb: number) => diskPart({ sizeBytes: 100 * GB, freeBytes: freeGb * GB }, SHARES)
  assert.equal(of(50).state, 'ok')
  assert.deepEqual(
    [of(9).state, /until 10\.0 GB are free \(SONDE_MIN_FREE_ATTACHMENTS\)/.test(of(9).detail)],
    ['degraded', true],
  )
  assert.deepEqual(
    [of(0.9).state, /503 until 1\.0 GB are free \(SONDE_MIN_FREE\)/.test(of(0.9).detail)],
    ['down', true],
  )
})

test('the disk is looked at each second near a share, and before it could have got there where it is far', () => {
  const of = (freeGb: number, shares = SHARES) =>
    pauseMs(shares, { sizeBytes: 100 * GB, freeBytes: freeGb * GB })
  assert.deepEqual([of(0), of(5), of(10), of(11), of(12)], [1_000, 1_000, 1_000, 1_000, 1_000])
  assert.deepEqual([of(16), of(30), of(99)], [3_000, 10_000, 10_000])
  // Nothing is refused before the disk is full: what is left of it counts.
  assert.equal(of(8, { attachments: 0, everything: 0 }), 4_000)
})

test('the guard knows the real disk from the start', () => {
  // On a disk that something lies on: the temporary folder may be of memory, and empty.
  const dir = import.meta.dirname
  const { bavail, blocks } = statfsSync(dir)
  assert.ok(bavail < blocks)
  const space = (everything: number) => {
    const guard = startDiskGuard(dir, { attachments: 0, everything }, silentLogger)
    guard.stop()
    return guard.space()
  }
  assert.equal(space(0), 'enough')
})
