/** What version 2 puts together that version 1 keeps apart, and that it leaves everything else alone. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { Exception } from '@sonde/protocol/event'
import * as fc from 'fast-check'
import { type GroupedEvent, groupEvent } from '../../src/group/group-event.ts'
import { normalizeEvent } from '../../src/normalize/index.ts'
import { eventOf, frame, thrown } from './event-of.ts'
import { fixtureNames, groupFixture, readFixture } from './fixture-events.ts'

const hashOf = (event: GroupedEvent, version: 'v1' | 'v2') => groupEvent(event, version).hashes[0]
const js = (...exception: readonly Exception[]): GroupedEvent =>
  eventOf({ platform: 'javascript', exception })
const apart = (events: readonly GroupedEvent[], version: 'v1' | 'v2'): number =>
  new Set(events.map((event) => hashOf(event, version))).size

/** Version 2 makes one issue where version 1 made several. */
const meet = (...events: readonly GroupedEvent[]): void => {
  assert.equal(apart(events, 'v1'), events.length)
  assert.equal(apart(events, 'v2'), 1)
}

describe('one mistake in three engines', () => {
  const saying = (type: string, ...values: readonly string[]) =>
    values.map((value) => js(thrown(type, value, [])))
  it('is one issue: a property of nothing', () =>
    meet(
      ...saying(
        'TypeError',
        "Cannot read properties of undefined (reading 'total')",
        "Cannot read property 'total' of undefined",
        'can\'t access property "total", cart is undefined',
        "undefined is not an object (evaluating 'cart.total')",
      ),
    ))
  it('is one issue: a variable that is not there', () =>
    meet(...saying('ReferenceError', 'gtag is not defined', "Can't find variable: gtag")))
  it('is one issue: a function that is none', () =>
    meet(
      ...saying(
        'TypeError',
        'cart.sum is not a function',
        "cart.sum is not a function. (In 'cart.sum()', 'cart.sum' is undefined)",
      ),
    ))
  it('is one issue: a request that failed', () => {
    meet(
      ...saying(
        'TypeError',
        'Failed to fetch',
        'NetworkError when attempting to fetch resource.',
        'Load failed',
      ),
    )
    assert.equal(apart(saying('TypeError', 'Failed to fetch (a.test)', 'Load failed (b.test)'), 'v2'), 2)
  })
  it('is one issue: an answer that is no JSON', () =>
    meet(
      ...saying(
        'SyntaxError',
        'Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON',
        'Unexpected token < in JSON at position 0',
        'JSON.parse: unexpected character at line 1 column 1 of the JSON data',
        "JSON Parse error: Unrecognized token '<'",
      ),
    ))
  it('stays apart from others, and from what a program says', () => {
    const texts = [
      "Cannot read properties of undefined (reading 'a')",
      "Cannot read properties of undefined (reading 'b')",
    ]
    assert.equal(apart(saying('TypeError', ...texts), 'v2'), 2)
    assert.equal(
      apart([...saying('TypeError', 'Load failed'), ...saying('AppError', 'Load failed')], 'v2'),
      2,
    )
  })
})

describe('an error that React caught', () => {
  const error = thrown('TypeError', 'x', [frame({ function: 'total', filename: 'src/cart.ts' })])
  const boundary = (...components: readonly string[]) =>
    thrown(
      'React ErrorBoundary TypeError',
      'x',
      components.map((name) => frame({ function: name, filename: 'src/app.tsx' })),
    )
  it('is the same wherever it was caught, and when it was not', () =>
    meet(js(error), js(boundary('App', 'Checkout'), error), js(boundary('App', 'Home', 'Cart'), error)))
  it('counts where nothing else is known', () =>
    assert.equal(apart([js(boundary('App')), js(boundary('Cart'))], 'v2'), 2))
})

describe('a stack that overflowed', () => {
  const ring = (start: number, length: number) =>
    Array.from({ length }, (_, at) => {
      const name = ['walk', 'visit', 'each'][(start + at) % 3] ?? ''
      return frame({ function: name, filename: 'src/tree.ts', context_line: `line of ${name}` })
    })
  const overflow = (type: string, value: string, frames: ReturnType<typeof ring>) =>
    js(thrown(type, value, frames))
  it('is one issue wherever the ring was cut, in every engine', () =>
    meet(
      overflow('RangeError', 'Maximum call stack size exceeded', ring(0, 50)),
      overflow('RangeError', 'Maximum call stack size exceeded.', [
        frame({ function: 'main', filename: 'src/main.ts' }),
        ...ring(1, 49),
      ]),
      overflow('InternalError', 'too much recursion', ring(2, 100)),
    ))
  it('is another with other functions', () => {
    const other = Array.from({ length: 20 }, () => frame({ function: 'render', filename: 'src/ui.ts' }))
    const value = 'Maximum call stack size exceeded'
    assert.equal(
      apart([overflow('RangeError', value, ring(0, 20)), overflow('RangeError', value, other)], 'v2'),
      2,
    )
  })
})

describe('version 2', () => {
  it('is frozen: every recorded event has the hashes it had', () => {
    const file = new URL('v2-frozen.json', import.meta.url)
    const frozen = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string[]>
    assert.ok(Object.keys(frozen).length >= 130)
    for (const [name, hashes] of Object.entries(frozen))
      assert.deepEqual(groupFixture(name, 'v2').hashes, hashes, name)
  })
})

describe('everything else', () => {
  const context = { eventId: '0'.repeat(32), receivedMs: 0, itemType: 'event', retentionDays: 90 }
  const events = fixtureNames().map((name) => [name, normalizeEvent(readFixture(name), context)] as const)
  it('keeps its hash of version 1, so that a move touches only what is another', () => {
    const others = events.filter(([, event]) => hashOf(event, 'v1') !== hashOf(event, 'v2'))
    assert.deepEqual(
      others.map(([name]) => name),
      [],
    )
  })
  it('never splits events of the fixtures that version 1 kept together', () => {
    for (const [, list] of Map.groupBy(events, ([, event]) => hashOf(event, 'v1')))
      assert.equal(new Set(list.map(([, event]) => hashOf(event, 'v2'))).size, 1)
  })
  it('keeps what a fingerprint says, with variables of the event as it came', () => {
    const event = (value: string): GroupedEvent => ({
      ...js(thrown('TypeError', value, [])),
      fingerprint: ['{{ default }}', '{{ error.value }}'],
    })
    assert.equal(apart([event('Failed to fetch'), event('Load failed')], 'v2'), 2)
    const own = { ...js(thrown('TypeError', 'Load failed', [])), fingerprint: ['x'] }
    assert.equal(hashOf(own, 'v1'), hashOf(own, 'v2'))
  })
  it('has a hash, whatever the JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const event = normalizeEvent({ exception: value, fingerprint: value, logentry: value }, context)
        assert.match(hashOf(event, 'v2') ?? '', /^[0-9a-f]{32}$/)
      }),
    )
  })
})
