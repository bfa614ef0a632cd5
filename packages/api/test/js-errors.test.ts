import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsErrors } from '../src/serializers/event-detail.ts'

const URL = 'https://shop.example/assets/main.js'
const frame = { abs_path: URL, lineno: 2, colno: 66, in_app: true }

test('an unreadable frame is an error of the event, once for each script and reason', () => {
  const missing = { ...frame, problem: { reason: 'other_dist', detail: 'the files have dist 42' } } as const
  const frames = [
    missing,
    { ...missing, lineno: 9 },
    { ...frame, problem: { reason: 'no_position' } } as const,
    frame,
  ]
  const own = { stacktrace: { frames } }
  assert.deepEqual(jsErrors({ exception: [own], threads: [own] }), [
    {
      type: 'js_no_source',
      message: 'Source code was not found',
      data: { url: URL, reason: 'other_dist', detail: 'the files have dist 42' },
    },
    {
      type: 'js_invalid_sourcemap_location',
      message: 'Invalid location in the source map',
      data: { url: URL, row: 2, column: 66, reason: 'no_position' },
    },
  ])
  assert.deepEqual(jsErrors({ exception: [{ stacktrace: { frames: [frame] } }] }), [])
})
