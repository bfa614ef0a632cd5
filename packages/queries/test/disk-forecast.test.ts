import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forecastOf } from '../src/operation/disk-forecast.ts'

const NOW_MS = Date.UTC(2026, 0, 31)
const DAY_MS = 86_400_000
const days = (used: readonly number[]) => used.map((bytes, at) => ({ day: at, used: bytes }))

test('a disk that gains 10 bytes a day is full when the rest of it is', () => {
  const forecast = forecastOf(days([10, 20, 30, 40, 50]), 100, NOW_MS)
  assert.deepEqual(forecast, { kind: 'fills', bytesPerDay: 10, fullMs: NOW_MS + 5 * DAY_MS })
})

test('a day without a figure is no day without growth', () => {
  const forecast = forecastOf(
    [0, 1, 4, 5].map((day) => ({ day, used: day * 10 })),
    100,
    NOW_MS,
  )
  assert.deepEqual(forecast, { kind: 'fills', bytesPerDay: 10, fullMs: NOW_MS + 5 * DAY_MS })
})

test('little data is not known yet', () => {
  assert.deepEqual(forecastOf(days([10, 20, 30]), 100, NOW_MS), { kind: 'unknown', days: 3, neededDays: 4 })
  assert.equal(forecastOf([], 100, NOW_MS).kind, 'unknown')
})

test('a disk that gets emptier, or fills in more than five years, has no day', () => {
  assert.equal(forecastOf(days([50, 40, 30, 20]), 100, NOW_MS).kind, 'not-filling')
  assert.equal(forecastOf(days([1, 2, 3, 4]), 1_000_000, NOW_MS).kind, 'not-filling')
})
