import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createAccess, newApiToken } from '@sonde/access'
import { fixedClock, silentLogger } from '@sonde/base'
import { createMcp, type McpOptions } from '@sonde/mcp'
import { openTestRecords } from '../../../tests/harness/engines.ts'

describe('the door of the MCP server', () => {
  const publicUrl = 'https://sonde.test'
  const { token, tokenHash } = newApiToken()
  let opened: Awaited<ReturnType<typeof openTestRecords>>
  let mcp: ReturnType<typeof createMcp>
  before(async () => {
    opened = await openTestRecords()
    const { records } = opened
    const clock = fixedClock(Date.UTC(2026, 0, 31))
    const secret = 'a secret of at least thirty-two characters'
    const access = createAccess({ records, clock, publicUrl, logger: silentLogger, secret })
    const own = { org_id: null, user_id: null, name: 'agent', token_hash: tokenHash }
    await records
      .insertInto('api_token')
      .values({ ...own, scopes: '["event:read"]', created_ms: 1 })
      .execute()
    mcp = createMcp({
      access,
      // No tool is called here: tests/e2e/mcp.test.ts does.
      queries: { records, clock, publicUrl } as unknown as McpOptions['queries'],
      commands: { records, clock, access },
      publicUrl,
      trustedOrigins: ['http://localhost:5173'],
      logger: silentLogger,
      version: '1',
    })
  })
  after(() => opened.close())

  const ask = (
    headers: Record<string, string>,
    body: string = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  ) =>
    new Request('https://sonde.test/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body,
    })
  const RIGHT = { authorization: `Bearer ${token}` }
  const wasUsed = async (): Promise<boolean> => {
    const row = await opened.records.selectFrom('api_token').select('last_used_ms').executeTakeFirstOrThrow()
    return row.last_used_ms !== null
  }

  test('who does not sign in is told where', async () => {
    const answer = await mcp(ask({}))
    assert.equal(answer.status, 401)
    assert.equal(
      answer.headers.get('www-authenticate'),
      'Bearer resource_metadata="https://sonde.test/.well-known/oauth-protected-resource/mcp"',
    )
    const wrong = await mcp(ask({ authorization: 'Bearer wrong' }))
    assert.match(
      wrong.headers.get('www-authenticate') ?? '',
      /^Bearer error="invalid_token", resource_metadata=/,
    )
    assert.equal((await mcp(ask({ authorization: 'Basic right' }))).status, 401)
  })

  test('a page of another origin gets nothing, whichever token it has; no cookie is looked at', async () => {
    for (const origin of [
      'https://evil.example',
      'http://sonde.test',
      'https://sonde.test.evil.example',
      'null',
    ])
      assert.equal((await mcp(ask({ ...RIGHT, origin }))).status, 403, origin)
    assert.equal(
      (await mcp(ask({ cookie: 'sonde.session_token=x', origin: 'https://sonde.test' }))).status,
      401,
    )
    assert.equal(await wasUsed(), false)
    for (const origin of ['https://sonde.test', 'http://localhost:5173'])
      assert.equal((await mcp(ask({ ...RIGHT, origin }))).status, 200, origin)
    assert.equal(await wasUsed(), true)
  })

  test('without a session: each request stands for itself, streams and endings are not offered', async () => {
    const answer = await mcp(ask(RIGHT))
    assert.equal(answer.headers.get('mcp-session-id'), null)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    for (const method of ['GET', 'DELETE'])
      assert.equal((await mcp(new Request('https://sonde.test/mcp', { method, headers: RIGHT }))).status, 405)
  })

  test('what is no message, or too long, is refused before a tool runs', async () => {
    assert.equal((await mcp(ask(RIGHT, '{'))).status, 400)
    assert.equal((await mcp(ask(RIGHT, `"${'x'.repeat(70_000)}"`))).status, 413)
    const chunked = new Request('https://sonde.test/mcp', {
      method: 'POST',
      headers: {
        ...RIGHT,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: new ReadableStream({
        pull: (controller) => controller.enqueue(new TextEncoder().encode(' '.repeat(10_000))),
      }),
      duplex: 'half',
    } as RequestInit)
    assert.equal((await mcp(chunked)).status, 413)
  })
})
