import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepEarlyErrors } from '../../src/reporter/early-errors.ts'
import { createErrorBudget, withoutQueries } from '../../src/reporter/report-screens.ts'

test('what goes wrong before the reporter is there is kept, a bounded number of it, and told once', () => {
  const target = new EventTarget()
  const early = keepEarlyErrors(target)
  const first = new Error('first')
  target.dispatchEvent(Object.assign(new Event('error'), { error: first, message: 'first' }))
  target.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'second' }))
  target.dispatchEvent(Object.assign(new Event('error'), { error: undefined, message: 'Script error.' }))
  for (let index = 0; index < 100; index++)
    target.dispatchEvent(Object.assign(new Event('error'), { error: new Error(String(index)) }))
  const told = early.take()
  assert.deepEqual(told.slice(0, 3), [first, 'second', 'Script error.'])
  assert.equal(told.length, 20)
  target.dispatchEvent(Object.assign(new Event('error'), { error: first }))
  assert.deepEqual(early.take(), [])
})

test('a screen that fails at every refresh tells of it ten times a minute, and falls silent in the end', () => {
  let nowMs = 0
  const mayTell = createErrorBudget(() => nowMs)
  const told = (times: number): number => Array.from({ length: times }, mayTell).filter(Boolean).length
  assert.equal(told(500), 10)
  nowMs += 60_000
  assert.equal(told(5), 0)
})

test('a page that fails now and then is told of for long', () => {
  let nowMs = 0
  const mayTell = createErrorBudget(() => nowMs)
  const told = Array.from({ length: 60 }, () => {
    nowMs += 60_000
    return mayTell()
  }).filter(Boolean).length
  assert.equal(told, 50)
})

test('what was searched for is in no address of a report', () => {
  const event = {
    request: { url: 'http://sonde.example/acme/shop/issues?query=user.email%3Aada%40example.com' },
    breadcrumbs: [
      { data: { url: '/acme/shop/issues?query=secret', to: '/a#b?c' } },
      { message: 'why? because' },
    ],
    spans: [{ description: 'GET http://sonde.example/api/0/x?y=secret' }],
    count: 3,
    none: null,
  }
  const shared = {
    url: 'http://sonde.example/settings/shared/aB3_-x?view=1',
    to: ['GET /settings/shared/aB3'],
  }
  assert.deepEqual(withoutQueries(shared), {
    url: 'http://sonde.example/settings/shared/[token]',
    to: ['GET /settings/shared/[token]'],
  })
  assert.deepEqual(withoutQueries(event), {
    request: { url: 'http://sonde.example/acme/shop/issues' },
    breadcrumbs: [{ data: { url: '/acme/shop/issues', to: '/a#b?c' } }, { message: 'why? because' }],
    spans: [{ description: 'GET http://sonde.example/api/0/x' }],
    count: 3,
    none: null,
  })
})
