import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { matchEndpoint } from '../../src/http/endpoint-path.ts'

const TABLE: readonly (readonly [
  url: string,
  kind: string | undefined,
  projectId?: string,
  what?: string,
])[] = [
  ['/api/42/envelope/', 'envelope', '42'],
  ['/api/42/envelope', 'envelope', '42'],
  ['//api//42//envelope//', 'envelope', '42'],
  ['/api/42/envelope/?sentry_key=a', 'envelope', '42'],
  ['/api/abc/envelope/', 'envelope', 'abc'],
  ['/api/42/store/', 'store', '42'],
  ['/api/store/', 'store'],
  ['/api/store', 'store'],
  ['/api/42/security/', 'security', '42'],
  ['/api/42/csp-report', 'security', '42'],
  ['/monitoring', 'tunnel'],
  ['/monitoring/', 'tunnel'],
  ['/monitoring?o=1&p=2&r=de', 'tunnel'],
  ['/api/42/minidump', 'minidump', '42'],
  ['/api/42/cron/nightly/abc/', 'cron', '42'],
  ['/api/42/crons//nightly', 'cron', '42'],
  ['/api/42/cron/', undefined],
  ['/api/42/cron/a/b/c', undefined],
  ['/api/42/otlp//v1/traces', 'otlp', '42'],
  ['/api/42/integration/otlp/v1/traces/', 'otlp', '42'],
  ['/api/42/otlp//v1/logs', 'otlp', '42'],
  ['/api/42/otlp/v1/metrics', 'otlp', '42'],
  ['/api/42/otlp/v1/traces/more', 'unsupported', '42', 'otlp/v1/traces/more'],
  ['/api/0/envelope/', undefined],
  ['/api/0/organizations/', undefined],
  ['/api/42/envelope/more/', undefined],
  ['/api/42/unheard-of/', undefined],
  ['/api/embed/error-page/', 'error-page'],
  ['/api/embed/error-page?dsn=x', 'error-page'],
  ['/api/embed/envelope/', undefined],
  ['/api/42/user-feedback/', 'user-feedback', '42'],
  ['/monitoring/more', undefined],
  ['/x/api/42/envelope/', undefined],
  ['/', undefined],
  ['*', undefined],
]

for (const [url, kind, projectId, what] of TABLE) {
  test(`${url} is ${kind ?? 'no ingest endpoint'}`, () => {
    const endpoint = matchEndpoint(url)
    assert.equal(endpoint?.kind, kind)
    assert.equal(endpoint?.projectId, projectId)
    assert.equal(endpoint?.what, what)
  })
}

test('the query is kept without its question mark', () => {
  assert.equal(matchEndpoint('/api/42/envelope/?a=b?c')?.query, 'a=b?c')
  assert.equal(matchEndpoint('/api/42/envelope/')?.query, '')
})

test('a long path of slashes is refused without being looked at for long', () => {
  const startedMs = performance.now()
  assert.equal(matchEndpoint(`/api/${'/'.repeat(1_000_000)}`), undefined)
  assert.equal(matchEndpoint(`/api/4/${'a/'.repeat(500)}x`), undefined)
  assert.ok(performance.now() - startedMs < 100)
})

test('no text makes the matching throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      matchEndpoint(text)
      matchEndpoint(`/api/${text}/envelope/`)
    }),
  )
})
