/** What version 4 keeps apart that the versions before put together, and that it leaves everything else alone. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { NormalizedEvent } from '@sonde/protocol/event'
import { hydrationKind, mismatchedComponent } from '@sonde/protocol/hydration'
import { DEFAULT_GROUPING } from '@sonde/stores'
import { groupByRules } from '../../src/group/group-by-rules.ts'
import { groupEvent } from '../../src/group/group-event.ts'
import { eventOf, frame, thrown } from './event-of.ts'
import { groupFixture } from './fixture-events.ts'

/** As React 18 and 19 throw them. */
const MISMATCHES = [
  'Minified React error #418; visit https://react.dev/errors/418?args[]=text&args[]= for the full message or use the non-minified dev environment for full errors and additional helpful warnings.',
  'Minified React error #421; visit https://reactjs.org/docs/error-decoder.html?invariant=421 for the full message or use the non-minified dev environment for full errors and additional helpful warnings.',
  'Minified React error #425; visit https://react.dev/errors/425 for the full message',
  "Hydration failed because the server rendered HTML didn't match the client. As a result this tree will be regenerated on the client. This can happen if a SSR-ed Client Component used:\n",
  "Hydration failed because the server rendered text didn't match the client.",
  'Hydration failed because the initial UI does not match what was rendered on the server.',
  'There was an error while hydrating. Because the error happened outside of a Suspense boundary, the entire root will switch to client rendering.',
  'There was an error while hydrating this Suspense boundary. Switched to client rendering.',
  'Text content does not match server-rendered HTML.',
  'This Suspense boundary received an update before it finished hydrating. This caused the boundary to switch to client rendering.',
]
const SERVER_ERRORS = [
  'Minified React error #419; visit https://react.dev/errors/419 for the full message',
  'The server could not finish this Suspense boundary, likely due to an error during server rendering. Switched to client rendering.',
  'Switched to client rendering because the server rendering errored:\n\nno stock',
]
const REACT = [
  frame({ function: 'throwOnHydrationMismatch', filename: 'assets/react-dom-8f2a.js' }),
  frame({ function: 'beginWork', filename: 'assets/react-dom-8f2a.js' }),
]
const STACK =
  '\n    at time (<anonymous>)\n    at StockClock (https://shop.example/assets/main.js:1:2)\n    at Qe\n    at main'

type Given = {
  readonly value?: string
  readonly componentStack?: string
  readonly transaction?: string
  readonly more?: Partial<NormalizedEvent>
}
const failed = ({ value, componentStack = STACK, transaction, more }: Given = {}) =>
  eventOf({
    platform: 'javascript',
    transaction: transaction ?? '/products/42',
    request: { url: 'https://shop.test/products/42?x=1' },
    exception: [thrown('Error', value ?? MISMATCHES[0]!, REACT)],
    contexts: { react: { componentStack } },
    ...more,
  })
const v4 = (given?: Given) => groupEvent(failed(given), 'v4')
const hashOf = (given?: Given) => v4(given).hashes[0]

describe('a hydration error of React', () => {
  it('is told by kind, route and component, in all of its words', () => {
    const { basis, parts } = v4()
    assert.equal(basis, 'hydration')
    assert.deepEqual(
      parts.map(({ from, value }) => [from, value]),
      [
        ['kind', 'mismatch'],
        ['route', '/products/[id]'],
        ['component', 'StockClock'],
      ],
    )
    for (const value of MISMATCHES) assert.equal(hashOf({ value }), hashOf(), value)
    for (const value of SERVER_ERRORS) assert.equal(v4({ value }).parts[0]?.value, 'server_error', value)
    for (const value of [...MISMATCHES, ...SERVER_ERRORS])
      assert.equal(v4({ value }).parts[0]?.value, hydrationKind({ message: value }), value)
  })

  it('is another for another route or component, and whatever the build', () => {
    const others: Given[] = [
      { transaction: '/cart' },
      { componentStack: '\n    at b\n    at Price\n' },
      { value: SERVER_ERRORS[0]! },
    ]
    assert.equal(new Set([hashOf(), ...others.map(hashOf)]).size, others.length + 1)
    const build = STACK.replace('main.js:1:2', 'main-7.js:9:9').replace('Qe', 'aB')
    assert.equal(hashOf({ componentStack: build, transaction: '/products/7' }), hashOf())
    assert.equal(
      groupEvent(failed({ transaction: '/cart' }), 'v3').hashes[0],
      groupEvent(failed(), 'v3').hashes[0],
    )
  })

  it('has the component of the boundary frames, an element without a readable name, or none', () => {
    const component = (given: Given): string | undefined => v4(given).parts[2]?.value
    const boundary = thrown('React ErrorBoundary Error', 'x', [
      frame({ function: 'Page', filename: 'a.js' }),
      frame({ function: 'Price', filename: 'a.js' }),
      frame({ function: 'b', filename: 'a.js' }),
    ])
    const exception = [boundary, thrown('Error', MISMATCHES[0]!, REACT)]
    assert.equal(component({ more: { exception, contexts: {} } }), 'Price')
    assert.equal(component({ componentStack: '\n    at time\n    at Qe\n    at main' }), 'time')
    assert.equal(component({ more: { contexts: {} } }), 'unknown')
    assert.equal(component({ componentStack: STACK }), mismatchedComponent(STACK))
    const { basis, hashes } = v4({ more: { contexts: {} } })
    assert.deepEqual([basis, hashes.length], ['hydration', 1])
  })

  it("meets the events of Sonde's own reporter", () => {
    const fingerprint = ['hydration-mismatch', '/products/[id]', 'StockClock']
    for (const version of ['v1', 'v4'] as const)
      assert.deepEqual(groupEvent(failed({ more: { fingerprint } }), version).hashes, v4().hashes)
  })

  it('is as before where it is another error, has a cause of its own, or a fingerprint', () => {
    const same = (given: Given, why: string): void =>
      assert.deepEqual(v4(given).hashes, groupEvent(failed(given), 'v3').hashes, why)
    for (const value of [
      'Failed to hydrate the store',
      'Minified React error #185; visit https://react.dev/errors/185',
      'Minified React error #4180; visit',
      'Hydration completed but contains mismatches.',
      'state did not match server rendered html',
    ])
      same({ value }, value)
    const cause = thrown('TypeError', 'items is undefined', REACT)
    same({ more: { exception: [cause, thrown('Error', MISMATCHES[6]!, REACT)] } }, 'a cause')
    same({ more: { exception: [thrown('ShopError', MISMATCHES[0]!, REACT)] } }, 'a type of its own')
    same({ more: { fingerprint: ['mine'] } }, 'an own fingerprint')
    same({ more: { checksum: 'mine' } }, 'a checksum')
    same({ more: { exception: [] } }, 'no exception')
  })

  it('stands for the default in a fingerprint', () => {
    const own = (transaction: string) =>
      hashOf({ transaction, more: { fingerprint: ['{{ default }}', 'eu'] } })
    assert.equal(own('/products/1'), own('/products/2'))
    assert.notEqual(own('/products/1'), own('/cart'))
    assert.notEqual(own('/products/42'), hashOf())
  })

  it('names its issue, and is not held together by the version before while a project moves', () => {
    const moving = { ...DEFAULT_GROUPING, version: 'v4', previous: { version: 'v3', untilMs: 1000 } } as const
    const grouped = (given: Given) =>
      groupByRules(
        { ...failed(given), derived: { title: 'Error: Min', culprit: '', metadata: {} } },
        moving,
        0,
      )
    assert.deepEqual(grouped({}).hashes, v4().hashes)
    assert.equal(grouped({}).event.derived.title, 'Hydration mismatch in StockClock on /products/[id]')
    const none = grouped({ value: SERVER_ERRORS[0]!, more: { contexts: {} } })
    assert.match(none.event.derived.title, /^Hydration: .*boundary on \/products\/\[id\]$/)
    assert.notEqual(hydrationKind({ message: none.event.derived.title }), undefined)
    const other = { value: 'Failed to hydrate the store' }
    assert.ok(grouped(other).hashes.includes(groupEvent(failed(other), 'v3').hashes[0] ?? ''))
  })

  it('of a stack without an end is read in time', () => {
    const long = '    at q (x)\n'.repeat(200_000)
    const startMs = performance.now()
    assert.equal(v4({ componentStack: long }).parts[2]?.value, 'q')
    assert.ok(performance.now() - startMs < 500)
  })
})

describe('grouping v4 is frozen', () => {
  const file = new URL('v2-frozen.json', import.meta.url)
  const frozen = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string[]>
  it('gives every recorded event the hashes of version 3 but those that are hydration errors', () => {
    const others = Object.entries(frozen).filter(([name, hashes]) => {
      const { basis, hashes: own } = groupFixture(name, 'v4')
      return basis !== 'hydration' && JSON.stringify(own) !== JSON.stringify(hashes)
    })
    assert.deepEqual(others, [])
  })
  it('gives the errors above the hash they had', () => {
    assert.deepEqual(v4().hashes, ['0fd23b677b39580cfa3aa15a65917e8c'])
    assert.deepEqual(v4({ value: SERVER_ERRORS[0]!, more: { contexts: {} } }).hashes, [
      '3bb2e0dddd0ce79ec2e74f15ce619adc',
    ])
  })
  it('imports nothing living: frozen folders, node, and types', () => {
    const folder = new URL('../../src/group/v4/', import.meta.url)
    for (const file of readdirSync(folder))
      for (const [line, path] of readFileSync(new URL(file, folder), 'utf8').matchAll(
        /^import\b[^'\n]*from '([^']+)'/gm,
      ))
        assert.ok(
          /^\.(?:\/|\.\/v[123]\/)[\w-]+\.ts$/.test(path ?? '') || line.startsWith('import type'),
          `${file}: ${line}`,
        )
  })
})
