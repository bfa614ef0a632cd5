import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { testMessage } from '@sonde/alerts'
import { createApi } from '@sonde/api'
import { silentLogger } from '@sonde/base'
import type { z } from 'zod'
import { answerChecks, type Document } from '../../../tests/harness/described-answers.ts'
import { AlertMessage } from '../src/openapi/webhooks.ts'
import type { DeepReadonly } from '../src/operation.ts'
import { openParts } from './open-parts.ts'

// Registering looks at none of the parts; there is a live feed in a running Sonde.
const api = createApi({
  live: {},
  publicUrl: 'http://sonde.test',
  version: '1.2.3',
  logger: silentLogger,
} as unknown as Parameters<typeof createApi>[0])

const ask = (headers: Record<string, string> = {}) =>
  api.request('http://sonde.test/api/0/openapi.json', { headers })

type Content = {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>
}
type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly { readonly $ref?: string }[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}
const document = (await (await ask()).json()) as Document & {
  readonly info: { readonly version: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    route: `${method.toUpperCase()} ${path}`,
    operation,
  })),
)

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document))
    assert.deepEqual(result.errors, undefined)
    assert.equal(result.valid, true)
  })

  it('has every route that answers, and no other', () => {
    // The page for people is none of them.
    const answering = api.routes.filter(
      ({ method, path }) => method !== 'ALL' && !path.startsWith('/api/0/docs'),
    )
    const routes = new Set(
      answering.map(
        ({ method, path }) =>
          `${method} ${path.replace(/^\/api\/0/, '').replaceAll(/:(\w+)/g, '{$1}') || '/'}`,
      ),
    )
    assert.deepEqual([...routes].toSorted(), operations.map(({ route }) => route).toSorted())
  })

  it('names operations so that generated methods can be called that', () => {
    for (const { route, operation } of operations)
      assert.match(operation.operationId, /^[a-z][A-Za-z]+$/, route)
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
    )
  })

  it('says what each does, in a group that there is', () => {
    const tags = new Set(document.tags.map(({ name }) => name))
    for (const { route, operation } of operations) {
      assert.match(operation.summary, /^[A-Z][^.]+$/, route)
      assert.ok(
        operation.tags.every((tag) => tags.has(tag)),
        route,
      )
    }
  })

  it('has a type for everything, or says why there is none', () => {
    const ofOperations = operations.flatMap(({ operation: { operationId, requestBody, responses } }) =>
      [requestBody, ...Object.values(responses)]
        .flatMap((each) => Object.values(each?.content ?? {}))
        .flatMap(({ schema }) => openParts(schema, operationId)),
    )
    const named = Object.entries(document.components['schemas'] ?? {})
    assert.ok(named.length > 100)
    assert.deepEqual([...ofOperations, ...named.flatMap(([name, schema]) => openParts(schema, name))], [])
    const open = { type: 'object', properties: { a: {}, b: { type: 'string' }, c: { items: {} } } }
    assert.deepEqual(openParts(open, 'X'), ['X.a', 'X.c', 'X.c[]'])
  })

  it('says of each that asks who calls that there are bounds, and how a POST is sent once more', () => {
    for (const { route, operation } of operations) {
      const { parameters = [], responses, security } = operation
      const isBounded = security.some((one) => 'session' in one)
      if (isBounded) assert.ok(responses['429'], route)
      const isOnce = parameters.some(({ $ref }) => $ref === '#/components/parameters/header.Idempotency-Key')
      assert.equal(isOnce, isBounded && route.startsWith('POST '), route)
    }
  })

  it('is of this version and this address', () => {
    assert.equal(document.info.version, '1.2.3')
    assert.deepEqual(document.servers, [{ url: 'http://sonde.test/api/0' }])
  })

  it('is read by anybody, and not sent again to who has it', async () => {
    const first = await ask()
    assert.equal(first.status, 200)
    assert.equal(first.headers.get('cache-control'), 'public, no-cache')
    const etag = first.headers.get('etag') ?? ''
    assert.equal((await ask({ 'if-none-match': etag })).status, 304)
    assert.equal((await ask({ 'if-none-match': '"another"' })).status, 200)
    const packed = await ask({ 'accept-encoding': 'br, gzip' })
    assert.equal(packed.headers.get('content-encoding'), 'gzip')
    const plain = gunzipSync(await packed.arrayBuffer()).toString()
    assert.equal(plain, await first.text())
  })
})

describe('an answer that is held to the document', () => {
  const { operationOf, problemOf } = answerChecks(document)
  const problem = (method: string, path: string, answer: object, status = 200) => {
    const operation = operationOf(method, path)
    assert.ok(operation, path)
    const headers = new Headers({ 'content-type': 'application/json' })
    return problemOf(operation, { status, headers, text: JSON.stringify(answer) })
  }
  const region = { name: 'sonde', url: 'http://sonde.test' }

  it('is wrong with a field too many, one too few, one of another type, and another status', () => {
    const path = '/api/0/users/me/regions/'
    assert.equal(problem('GET', path, { regions: [region] }), undefined)
    assert.match(problem('GET', path, { regions: [{ ...region, more: 1 }] }) ?? '', /additional properties/)
    assert.match(problem('GET', path, {}) ?? '', /required property 'regions'/)
    assert.match(problem('GET', path, { regions: [{ ...region, name: 1 }] }) ?? '', /must be string/)
    assert.match(problem('GET', path, { regions: [] }, 201) ?? '', /not described/)
  })

  it('is that of the address that is named, before one with a parameter', () => {
    assert.equal(operationOf('GET', '/api/0/organizations/acme/')?.operationId, 'getOrganization')
    assert.equal(operationOf('GET', '/api/0/organizations/acme/issues')?.operationId, 'listIssues')
  })

  it('of a list needs its pages', () => {
    assert.match(problem('GET', '/api/0/organizations/', []) ?? '', /without Link/)
  })
})

describe('what webhooks send', () => {
  it('is described to the last field', () => {
    // The assignment holds every kind of message to it.
    const message: DeepReadonly<z.output<typeof AlertMessage>> = testMessage(
      { orgSlug: 'acme' },
      'http://sonde.test',
      0,
    )
    assert.deepEqual(AlertMessage.strict().parse(message), message)
  })
})

describe('the page of the document', () => {
  it('has its files here, and no script of its own in it', async () => {
    const page = await api.request('http://sonde.test/api/0/docs/')
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self';/)
    const html = await page.text()
    const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path)
    assert.ok(files.length >= 4)
    for (const path of files) {
      const file = await api.request(`http://sonde.test${path}`)
      assert.equal(file.status, 200, path)
      assert.ok((await file.arrayBuffer()).byteLength > 100, path)
    }
    assert.equal(/<script(?! src)/.test(html), false)
  })
})
