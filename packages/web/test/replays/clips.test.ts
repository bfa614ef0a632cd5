import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Clip,
  clipAt,
  clipsOf,
  endOf,
  isIdleAt,
  nextClip,
} from '../../src/routes/[org]/[project]/replays/[replay]/clips.ts'

const FIRST_MS = 1_000_000
const CLIPS = clipsOf(
  [
    { segment: 0, startedMs: FIRST_MS, durationMs: 5_000 },
    { segment: 1, startedMs: FIRST_MS + 4_900, durationMs: 5_000 },
    { segment: 3, startedMs: FIRST_MS + 20_000, durationMs: 1_000 },
  ],
  FIRST_MS,
)
const numberOf = (clip: Clip | undefined) => clip?.segment

test('a place is in the video that began last, or in none', () => {
  for (const [atMs, at, next] of [
    [0, 0, 1],
    [4_899, 0, 1],
    [4_900, 1, 3],
    [9_899, 1, 3],
    [9_900, undefined, 3],
    [19_999, undefined, 3],
    [20_000, 3, undefined],
    [21_000, undefined, undefined],
  ] as const)
    assert.deepEqual([numberOf(clipAt(CLIPS, atMs)), numberOf(nextClip(CLIPS, atMs))], [at, next], `${atMs}`)
  assert.equal(endOf(CLIPS), 21_000)
  assert.deepEqual([clipAt([], 0), nextClip([], 0), endOf([])], [undefined, undefined, 0])
})

test('nobody does anything for ten seconds: it is idle until something is near', () => {
  const busy = [1_000, 30_000]
  for (const [atMs, isIdle] of [
    [0, false],
    [2_000, false],
    [2_600, true],
    [19_999, true],
    [20_000, false],
    [31_000, false],
    [32_000, true],
    [51_000, false],
  ] as const)
    assert.equal(isIdleAt(busy, atMs, 60_000), isIdle, `${atMs}`)
})
