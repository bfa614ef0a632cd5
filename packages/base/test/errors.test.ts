import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, fixedClock, SondeError, UnavailableError } from '../src/index.ts'

test('an error carries what was tried, on what, why and what to do next', () => {
  const cause = new Error('ENOSPC')
  const error = new UnavailableError('the disk is full', {
    operation: 'append to the log',
    subject: '/data/log',
    hint: 'Free some space.',
    retryAfterSec: 10,
    cause,
  })
  assert.ok(error instanceof SondeError)
  assert.deepEqual(
    [error.kind, error.operation, error.subject, error.hint, error.retryAfterSec, error.cause],
    ['unavailable', 'append to the log', '/data/log', 'Free some space.', 10, cause],
  )
})

test('a configuration error names the setting first', () => {
  assert.equal(new ConfigError('PORT', '"x" is not allowed').message, 'PORT: "x" is not allowed')
})

test('a fixed clock moves only when told to', () => {
  const clock = fixedClock(1000)
  clock.advance(250)
  assert.equal(clock.nowMs(), 1250)
})
