import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NormalizedEvent } from '@sonde/protocol/event'
import { highlights } from '../../../src/parts/event/highlights.ts'

const BARE: NormalizedEvent = {
  event_id: 'a'.repeat(32),
  type: 'error',
  platform: 'javascript',
  level: 'error',
  timestamp: 1,
  received: 1,
  derived: { title: 't', culprit: '', metadata: {} },
}

test('an event that says nothing has no highlights', () => {
  assert.deepEqual(highlights(BARE), [])
})

test('who, where and which version, in reading order', () => {
  const shown = highlights({
    ...BARE,
    user: { id: '7', email: 'a@example.com' },
    release: 'shop@1',
    environment: 'production',
    contexts: {
      browser: { name: 'Firefox', version: 141 },
      os: { name: 'Linux' },
      device: { family: 'Mac' },
    },
  })
  assert.deepEqual(
    shown.map(({ name, value }) => `${name}=${value}`),
    [
      'User=a@example.com',
      'Environment=production',
      'Release=shop@1',
      'Browser=Firefox 141',
      'OS=Linux',
      'Device=Mac',
    ],
  )
})

test('a context of another shape is passed over', () => {
  const contexts = {
    browser: { name: { a: 1 } },
    os: { name: '', version: '1' },
    trace: { trace_id: null },
  }
  assert.deepEqual(highlights({ ...BARE, contexts }), [])
})
