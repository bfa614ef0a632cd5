import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remarkOf, eventOf } from './event-of.ts'

test('a message is found in each of its places and forms', () => {
  const cases: [object, object | undefined][] = [
    [{ message: 'hi' }, { formatted: 'hi' }],
    [{ logentry: 'hi' }, { formatted: 'hi' }],
    [{ message: { message: 'hi' } }, { formatted: 'hi' }],
    [{ 'sentry.interfaces.Message': { formatted: 'hi' } }, { formatted: 'hi' }],
    [{ logentry: { message: 'a %s', params: ['b'] } }, { formatted: 'a b', message: 'a %s', params: ['b'] }],
    [
      { logentry: { message: '%(x)s!', params: { x: 1 } } },
      { formatted: '1!', message: '%(x)s!', params: { x: 1 } },
    ],
    [
      { logentry: { message: '{} {1} {n}', params: ['a', 'b'] } },
      { formatted: 'a b {n}', message: '{} {1} {n}', params: ['a', 'b'] },
    ],
    [
      { logentry: { message: '100%% %d', params: [7] } },
      { formatted: '100% 7', message: '100%% %d', params: [7] },
    ],
    [{ logentry: { message: 'a %s', formatted: 'a b' } }, { formatted: 'a b', message: 'a %s' }],
    [{ logentry: { message: 'same', formatted: 'same', params: [] } }, { formatted: 'same' }],
    [{ message: ['a', 1] }, { formatted: '["a",1]' }],
    [{ message: 42 }, { formatted: '42' }],
    [{ message: '' }, undefined],
    [{ message: {} }, undefined],
    [{ logentry: { message: null } }, undefined],
    [{ logentry: null, message: 'old' }, { formatted: 'old' }],
  ]
  for (const [raw, expected] of cases) assert.deepEqual(eventOf(raw).logentry, expected, JSON.stringify(raw))
})

test('a megabyte of message is cut at 8192 characters', () => {
  const event = eventOf({ message: 'x'.repeat(1_000_000) })
  assert.equal(event.logentry?.formatted?.length, 8192)
  assert.equal(remarkOf(event, 'logentry.formatted')?.originalLength, 1_000_000)
})

test('breadcrumbs come both ways; the last hundred are kept', () => {
  const crumbs = [
    { message: 'a', timestamp: '2026-11-20T11:59:00Z', level: 'warn', category: 'ui', data: { x: 1 } },
    null,
  ]
  const expected = [
    {
      type: 'default',
      level: 'warning',
      timestamp: 1795175940,
      category: 'ui',
      message: 'a',
      data: { x: 1 },
    },
  ]
  assert.deepEqual(eventOf({ breadcrumbs: crumbs }).breadcrumbs, expected)
  assert.deepEqual(eventOf({ breadcrumbs: { values: crumbs } }).breadcrumbs, expected)
  const many = Array.from({ length: 150 }, (_, index) => ({ message: String(index) }))
  const event = eventOf({ breadcrumbs: many })
  assert.equal(event.breadcrumbs?.length, 100)
  assert.equal(event.breadcrumbs?.at(-1)?.message, '149')
  assert.equal(remarkOf(event, 'breadcrumbs')?.originalLength, 150)
})

test('extra is held to its budgets: per value, in all, and in depth', () => {
  const event = eventOf({
    extra: {
      long: 'y'.repeat(1_000_000),
      deep: { a: { b: { c: { d: { e: { f: { g: { h: 1 } } } } } } } },
      list: Array(9000).fill(1),
      ok: [1, null, 'x'],
    },
  })
  const extra = event.extra as { long: string; list: number[]; deep: unknown; ok: unknown }
  assert.equal(extra.long.length, 16_384)
  assert.ok(extra.list.length < 9000 && extra.list.length > 1000)
  assert.deepEqual(extra.deep, { a: { b: { c: { d: { e: { f: { g: '[Object]' } } } } } } })
  assert.deepEqual(extra.ok, [1, null, 'x'])
  assert.equal(remarkOf(event, 'extra.long')?.originalLength, 1_000_000)
  const wide = eventOf({
    extra: Object.fromEntries(Array.from({ length: 100 }, (_, key) => [key, 'z'.repeat(10_000)])),
  })
  assert.ok(JSON.stringify(wide.extra).length < 300_000)
})
