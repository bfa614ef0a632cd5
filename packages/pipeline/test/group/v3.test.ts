/** What version 3 keeps apart that the versions before put together, and that it leaves everything else alone. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { JsonObject, NormalizedEvent } from '@sonde/protocol/event'
import { DEFAULT_GROUPING } from '@sonde/stores'
import { groupByRules } from '../../src/group/group-by-rules.ts'
import { groupEvent } from '../../src/group/group-event.ts'
import { eventOf, frame, thrown } from './event-of.ts'
import { groupFixture } from './fixture-events.ts'

const AT = 1_800_000_000
const STACK = [frame({ function: 'request', filename: 'src/http.ts' })]

type Given = {
  readonly value?: string
  readonly type?: string
  readonly url?: string
  readonly crumb?: object
  readonly transaction?: string
  readonly more?: Partial<NormalizedEvent>
}

/** An error as Sentry's browser SDK sends it when fetch fails. */
const failed = ({ value, type, url = '/api/orders/42?x=1', crumb, transaction, more }: Given = {}) =>
  eventOf({
    platform: 'javascript',
    timestamp: AT,
    transaction: transaction ?? '/orders/42',
    request: { url: 'https://shop.test/orders/42' },
    exception: [thrown(type ?? 'TypeError', value ?? 'Failed to fetch (shop.test)', STACK)],
    breadcrumbs: [
      {
        type: 'http',
        category: 'fetch',
        level: 'info',
        timestamp: AT - 2,
        data: { url: '/api/me', method: 'GET', status_code: 200 },
      },
      {
        type: 'http',
        category: 'fetch',
        level: 'error',
        timestamp: AT - 1,
        data: { url, method: 'GET' },
        ...crumb,
      },
    ],
    ...more,
  })
const v3 = (given?: Given) => groupEvent(failed(given), 'v3')
const shown = (given?: Given) => v3(given).parts.map(({ value }) => value)

describe('a request that got no answer', () => {
  it('is told by endpoint, route and cause', () => {
    const { basis, parts } = v3()
    assert.equal(basis, 'request')
    assert.deepEqual(
      parts.map(({ from, value }) => [from, value]),
      [
        ['endpoint', 'GET /api/orders/[id]'],
        ['route', '/orders/[id]'],
        ['cause', 'unreachable'],
      ],
    )
  })
  it('is the same in every browser and for every value, and another for another endpoint, route or cause', () => {
    const hash = (given?: Given) => v3(given).hashes[0]
    for (const value of ['NetworkError when attempting to fetch resource.', 'Load failed', 'Failed to fetch'])
      assert.equal(hash({ value }), hash(), value)
    assert.equal(hash({ url: 'https://shop.test/api/orders/7', transaction: '/orders/7' }), hash())
    const others = [
      { url: '/api/cart' },
      { transaction: '/cart' },
      { more: { contexts: { device: { online: false } } } },
      { url: 'https://pay.test/api/orders/42', value: 'Failed to fetch (pay.test)' },
      { type: 'AbortError', value: 'signal is aborted without reason' },
    ]
    assert.equal(new Set([hash(), ...others.map(hash)]).size, others.length + 1)
    // Which the version before made one of, but for the host that the SDK adds.
    assert.equal(
      groupEvent(failed({ url: '/api/cart' }), 'v2').hashes[0],
      groupEvent(failed(), 'v2').hashes[0],
    )
  })
  it('of another origin is blocked or silent: a browser does not say which', () =>
    assert.deepEqual(shown({ url: 'https://pay.test/charge/9f8e7d6c', value: 'Load failed (pay.test)' }), [
      'GET pay.test/charge/[id]',
      '/orders/[id]',
      'blocked',
    ]))
  it('is as before where no failed request is known, or another error', () => {
    const same = (given: Given, why: string): void =>
      assert.deepEqual(v3(given).hashes, groupEvent(failed(given), 'v2').hashes, why)
    same({ crumb: { data: { url: '/api/orders/42', status_code: 200 } } }, 'answered')
    same({ crumb: { timestamp: AT - 60 } }, 'long before')
    same({ value: 'Failed to fetch (pay.test)' }, 'of another host')
    same({ type: 'ShopError' }, "a program's own words")
    same({ more: { fingerprint: ['mine'] } }, 'an own fingerprint')
    same({ more: { checksum: 'mine' } }, 'a checksum')
  })
  it('is not held together by the version before while a project moves; everything else is', () => {
    const moving = { ...DEFAULT_GROUPING, version: 'v3', previous: { version: 'v1', untilMs: 1000 } } as const
    const hashesOf = (given: Given) =>
      groupByRules({ ...failed(given), derived: { title: '', culprit: '', metadata: {} } }, moving, 0).hashes
    assert.deepEqual(hashesOf({}), v3().hashes)
    assert.ok(
      hashesOf({ type: 'ShopError' }).includes(
        groupEvent(failed({ type: 'ShopError' }), 'v1').hashes[0] ?? '',
      ),
    )
  })
  it('stands for the default in a fingerprint', () => {
    const own = (url: string) => v3({ url, more: { fingerprint: ['{{ default }}', 'eu'] } }).hashes[0]
    assert.equal(own('/api/orders/1'), own('/api/orders/2'))
    assert.notEqual(own('/api/orders/1'), own('/api/cart'))
    assert.notEqual(own('/api/orders/1'), v3().hashes[0])
  })
})

describe("the reporter's own word", () => {
  const told = (page_data: JsonObject) =>
    eventOf({
      platform: 'javascript',
      exception: [thrown('TypeError', 'Failed to fetch', STACK)],
      contexts: { page_data },
    })
  const words = { endpoint: 'GET /api/cart', route: '/cart', cause: 'offline' }
  it('names the issue in every version, and groups in this one', () => {
    for (const version of ['v1', 'v3'] as const) {
      const { event } = groupByRules(
        {
          ...told(words),
          derived: { title: 'TypeError: Failed to fetch', culprit: '', metadata: {} },
        },
        { ...DEFAULT_GROUPING, version },
        0,
      )
      assert.equal(event.derived.title, 'Failed to fetch: GET /api/cart on /cart (offline)')
      assert.equal(event.derived.grouping?.basis === 'request', version === 'v3')
    }
  })
  it('of an error that the page made of it leaves that error as it is', () =>
    assert.deepEqual(
      groupEvent(told({ ...words, wrapped: true }), 'v3').hashes,
      groupEvent(told({ ...words, wrapped: true }), 'v2').hashes,
    ))
})

describe('grouping v3 is frozen', () => {
  const file = new URL('v2-frozen.json', import.meta.url)
  const frozen = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string[]>
  it('gives every recorded event the hashes it has in version 2: none of them is such a request', () => {
    assert.ok(Object.keys(frozen).length >= 130)
    for (const [name, hashes] of Object.entries(frozen))
      assert.deepEqual(groupFixture(name, 'v3').hashes, hashes, name)
  })
  it('gives the requests above the hash they had', () => {
    assert.deepEqual(v3().hashes, ['07ddd38cc0a848c81f06fbef10bef5fc'])
    assert.deepEqual(v3({ url: 'https://pay.test/a', value: 'Load failed (pay.test)' }).hashes, [
      '2b433f6c11a73088a908a269575d8d64',
    ])
  })
  it('imports nothing living: frozen folders, node, and types', () => {
    const folder = new URL('../../src/group/v3/', import.meta.url)
    for (const file of readdirSync(folder))
      for (const [line, path] of readFileSync(new URL(file, folder), 'utf8').matchAll(
        /^import\b[^'\n]*from '([^']+)'/gm,
      ))
        assert.ok(
          /^\.(?:\/|\.\/v[12]\/)[\w-]+\.ts$/.test(path ?? '') || line.startsWith('import type'),
          `${file}: ${line}`,
        )
  })
})
