import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Hono } from 'hono'
import { z } from 'zod'
import type { ApiEnv } from '../src/api-context.ts'
import { type Api, describedRoutes } from '../src/described-routes.ts'
import { openApiDocument } from '../src/openapi/document.ts'
import { withStatus } from '../src/operation.ts'

describe('routes with descriptions', () => {
  let hono: Hono<ApiEnv>
  let api: Api
  before(() => {
    hono = new Hono<ApiEnv>()
    hono.onError((error, c) => c.json('fields' in error ? error.fields : error.message, 400))
    api = describedRoutes(hono)
    api.post(
      '/organizations/:org/teams',
      {
        id: 'makeTeam',
        summary: 'Make a team',
        tag: 'Teams',
        isPublic: true,
        query: z.object({
          limit: z.coerce.number().int().max(100).optional().catch(10),
          environment: z.array(z.string()).optional(),
        }),
        body: z.object({ name: z.string().min(1, 'is needed'), color: z.string().nullable().optional() }),
        answer: z.object({ org: z.string(), got: z.unknown() }),
        status: 201,
        also: { 208: 'It was there.' },
      },
      ({ params, query, body }) => {
        if (body.name === 'missing') return undefined
        const value = { org: params.org, got: { query, body } }
        return body.name === 'old' ? withStatus(208, value) : value
      },
    )
  })

  const post = async (body: unknown, search = '') => {
    const init = { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }
    const answer = await hono.request(`/organizations/acme/teams${search}`, init)
    return { status: answer.status, text: await answer.text() }
  }

  it('hand the handler what their schemas made of the request', async () => {
    const { status, text } = await post(
      { name: 'web', color: null, more: 1 },
      '?limit=x&environment=a&environment=b',
    )
    assert.equal(status, 201)
    assert.deepEqual(JSON.parse(text), {
      org: 'acme',
      got: { query: { limit: 10, environment: ['a', 'b'] }, body: { name: 'web', color: null } },
    })
  })

  it('answer the other status that a handler chose, and 404 for undefined', async () => {
    assert.equal((await post({ name: 'old' })).status, 208)
    assert.equal((await post({ name: 'missing' })).status, 404)
  })

  it('refuse what a schema refuses, by field; null for a field that takes none is no value', async () => {
    for (const [body, fields] of [
      [{ name: '' }, { name: ['is needed'] }],
      [{ name: null }, { name: ['Invalid input: expected string, received undefined'] }],
      ['[]', { detail: ['a JSON object is needed'] }],
    ] as const) {
      const { status, text } = await post(body)
      assert.equal(status, 400)
      assert.deepEqual(JSON.parse(text), fields)
    }
  })

  it('are the document, with what is shared by all of them', () => {
    const document = openApiDocument({
      operations: api.operations,
      serverUrl: 'http://s/api/0',
      version: '1',
    })
    const operation = document.paths?.['/organizations/{org}/teams']?.post
    assert.ok(operation)
    assert.equal(operation.operationId, 'makeTeam')
    assert.deepEqual(Object.keys(operation.responses ?? {}), ['201', '208', '400', '404'])
    const names = operation.parameters?.map((each) =>
      'name' in each ? [each.in, each.name, each.required] : each.$ref,
    )
    assert.deepEqual(names, [
      '#/components/parameters/path.org',
      ['query', 'limit', undefined],
      ['query', 'environment', undefined],
    ])
  })

  it('of which two with one name are refused', () => {
    const twice = [...api.operations, ...api.operations, ...api.operations]
    assert.throws(
      () => openApiDocument({ operations: twice, serverUrl: '', version: '' }),
      /two operations are called makeTeam/,
    )
  })
})
