import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { authorizationServer } from '@sonde/access'
import { type Harness, openHarness } from './harness.ts'
import { connect, type Connection, MCP, proof, REDIRECT_URI, register } from './oauth-harness.ts'

const INVALID = 'invalid_grant'
const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

describe('what an application asks for', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())
  const read = (fields: Readonly<Record<string, string | undefined>>) => {
    const { challenge } = proof()
    const all = {
      client_id: register(harness)['client_id'],
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state: 'st',
      ...fields,
    }
    const present = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
    return harness.access.oauth.readRequest(new URLSearchParams(present))
  }

  it('registration keeps nothing, and its client id is known to every process with the same key', async () => {
    const made = register(harness, { token_endpoint_auth_method: 'client_secret_post' })
    assert.match(made['client_id'] ?? '', /^sonde_client_[\w-]+\.[\w-]{43}$/)
    assert.deepEqual([made['token_endpoint_auth_method'], made['client_secret']], ['none', undefined])
    const params = new URLSearchParams({
      client_id: made['client_id'] ?? '',
      redirect_uri: 'http://127.0.0.1:49152/callback',
      response_type: 'code',
      code_challenge: proof().challenge,
      code_challenge_method: 'S256',
    })
    const elsewhere = harness.newAccess().oauth.readRequest(params)
    assert.ok(elsewhere.ok && elsewhere.request.client.name === 'Robot')
  })

  it('a name cannot hide or turn around the words beside it', () => {
    const name = register(harness, { client_name: ' Clau\u202ede\u200b\n\tCode\u{e0041} ' })['client_name']
    assert.equal(name, 'ClaudeCode')
    assert.equal(register(harness, { client_name: '\u0000' })['client_name'], 'An application without a name')
    assert.equal(register(harness, { client_name: 'x'.repeat(9_000) })['client_name']?.length, 100)
  })

  it('a registration that is none is refused as the standard says', () => {
    for (const [fields, error] of [
      [{ redirect_uris: [] }, 'invalid_client_metadata'],
      [{ redirect_uris: 'http://127.0.0.1/' }, 'invalid_client_metadata'],
      [{ redirect_uris: Array(11).fill(REDIRECT_URI) }, 'invalid_client_metadata'],
      [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
      [{ grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
      [{ response_types: ['token'] }, 'invalid_client_metadata'],
    ] as const)
      assert.equal(register(harness, fields).error, error, JSON.stringify(fields))
    assert.equal(
      (harness.access.oauth.register(undefined) as { error?: string }).error,
      'invalid_client_metadata',
    )
  })

  it('nothing is answered to an address that is not the client’s, or for a client that nobody registered', () => {
    const made = register(harness)['client_id'] ?? ''
    for (const fields of [
      { client_id: undefined },
      { client_id: 'x' },
      { client_id: `${made.slice(0, -1)}${made.endsWith('A') ? 'B' : 'A'}` },
      { client_id: `${made.slice(0, -9)}${made.at(-9) === 'A' ? 'B' : 'A'}${made.slice(-8)}` },
      // Another address in a client id that somebody else made.
      {
        client_id: `sonde_client_${Buffer.from('{"n":"x","r":["https://evil.example/"]}').toString('base64url')}.${made.split('.')[1]}`,
      },
      { redirect_uri: 'https://evil.example/' },
      { redirect_uri: undefined },
    ]) {
      const answer = read(fields)
      assert.ok(!answer.ok && answer.fault.back === undefined, JSON.stringify(fields))
    }
  })

  it('what is wrong otherwise is told to the client, with who tells it', () => {
    for (const [fields, error] of [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ code_challenge: undefined }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: undefined }, 'invalid_request'],
      [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
      [{ scope: 'moon:write' }, 'invalid_scope'],
    ] as const) {
      const answer = read(fields)
      const back = new URL(answer.ok ? 'x:' : (answer.fault.back ?? 'x:'))
      assert.equal(back.searchParams.get('error'), error)
      assert.equal(back.searchParams.get('state'), 'st')
      assert.equal(back.searchParams.get('iss'), 'http://sonde.test')
    }
    assert.equal(authorizationServer('http://sonde.test')['issuer'], 'http://sonde.test')
  })

  it('a parameter that stands there twice is refused, and unknown scopes are left out', () => {
    const twice = new URLSearchParams([
      ['client_id', 'a'],
      ['client_id', 'b'],
    ])
    const answer = harness.access.oauth.readRequest(twice)
    assert.ok(!answer.ok && answer.fault.error === 'invalid_request')
    const some = read({ scope: 'event:read moon:write offline_access event:read' })
    assert.deepEqual(some.ok && some.request.scopes, ['event:read'])
    const mcp = read({ resource: `${MCP}/` })
    assert.deepEqual(mcp.ok && mcp.request.resource, MCP)
  })
})

describe('codes and tokens of applications', () => {
  let harness: Harness
  let userId: string
  before(async () => {
    harness = await openHarness()
    userId = await harness.member('ada@acme.test', 'member')
  })
  after(() => harness.close())

  const exchange = async (connection: Connection, fields: Readonly<Record<string, string>> = {}) => {
    const form = {
      grant_type: 'authorization_code',
      client_id: connection.clientId,
      code: connection.code,
      code_verifier: connection.verifier,
      redirect_uri: REDIRECT_URI,
      ...fields,
    }
    return answerOf(await harness.access.oauth.exchange(new URLSearchParams(form), '192.0.2.1'))
  }
  const refresh = async (
    connection: Connection,
    token: string,
    fields: Readonly<Record<string, string>> = {},
  ) => {
    const form = {
      grant_type: 'refresh_token',
      client_id: connection.clientId,
      refresh_token: token,
      ...fields,
    }
    return answerOf(await harness.access.oauth.exchange(new URLSearchParams(form), '192.0.2.1'))
  }
  type Answer = { access: string; refresh: string; scope: string; expires: number; error: string | undefined }
  const answerOf = (answer: object): Answer => {
    const all = answer as Readonly<Record<string, string>>
    return {
      access: all['access_token'] ?? '',
      refresh: all['refresh_token'] ?? '',
      scope: all['scope'] ?? '',
      expires: Number(all['expires_in']),
      error: all['error'],
    }
  }
  const isThere = async ({ tokenId }: Connection): Promise<boolean> =>
    (await harness.db.selectFrom('api_token').select('id').where('id', '=', tokenId).executeTakeFirst()) !==
    undefined
  const opens = async (token: string, at?: 'api' | 'mcp'): Promise<boolean> =>
    (await harness.access.viewerFromToken(token, undefined, at)) !== undefined

  it('a code becomes an access token of its person, for an hour', async () => {
    const connection = await connect(harness, userId, { scopes: ['event:read', 'org:read'] })
    const { access, scope, expires } = await exchange(connection)
    assert.deepEqual([scope, expires], ['event:read org:read', 3_600])
    assert.deepEqual(await harness.access.viewerFromToken(access), {
      kind: 'token',
      tokenId: connection.tokenId,
      tokenName: 'Robot',
      orgId: harness.acme,
      userId,
      role: 'member',
      scopes: ['event:read', 'org:read'],
    })
    harness.clock.advance(HOUR_MS)
    assert.equal(await opens(access), false)
    assert.match(await harness.access.refusalOfToken(access), /is over/)
  })

  it('no secret lies in the records as it is', async () => {
    const connection = await connect(harness, userId)
    const { access, refresh: renewal } = await exchange(connection)
    const rows = [
      ...(await harness.db.selectFrom('oauth_secret').selectAll().execute()),
      ...(await harness.db.selectFrom('oauth_app').selectAll().execute()),
      ...(await harness.db.selectFrom('api_token').selectAll().execute()),
    ]
    const stored = JSON.stringify(rows)
    for (const secret of [access, renewal, connection.code, connection.verifier])
      assert.equal(stored.includes(secret), false)
  })

  it('of what was given for the MCP server, nothing else is opened', async () => {
    const connection = await connect(harness, userId, { resource: MCP })
    const { access } = await exchange(connection, { resource: MCP })
    assert.deepEqual([await opens(access), await opens(access, 'mcp')], [false, true])
    const free = await exchange(await connect(harness, userId))
    assert.deepEqual([await opens(free.access), await opens(free.access, 'mcp')], [true, true])
    const other = await connect(harness, userId)
    assert.equal((await exchange(other, { resource: MCP })).error, 'invalid_target')
  })

  it('a code that comes again, or without its proof, ends the connection', async () => {
    const used = await connect(harness, userId)
    const { access } = await exchange(used)
    assert.equal((await exchange(used)).error, INVALID)
    assert.deepEqual([await isThere(used), await opens(access)], [false, false])
    for (const fields of [
      { code_verifier: proof().verifier },
      { code_verifier: '' },
      { redirect_uri: MCP },
    ]) {
      const connection = await connect(harness, userId)
      assert.equal((await exchange(connection, fields)).error, INVALID)
      assert.equal(await isThere(connection), false, JSON.stringify(fields))
    }
    const entry = await harness.db
      .selectFrom('audit_entry')
      .selectAll()
      .where('action', '=', 'app.disconnect')
      .executeTakeFirstOrThrow()
    assert.deepEqual(
      [entry.org_id, entry.actor, entry.subject, entry.address],
      [harness.acme, 'stranger', 'Robot', '192.0.2.1'],
    )
    assert.deepEqual(JSON.parse(entry.detail), { tokenId: used.tokenId, of: userId, reason: 'reuse' })
  })

  it('a code is over after two minutes, and is of no use to another client', async () => {
    const late = await connect(harness, userId)
    harness.clock.advance(2 * 60_000)
    assert.equal((await exchange(late)).error, INVALID)
    const stolen = await connect(harness, userId)
    const other = register(harness)['client_id'] ?? ''
    assert.equal((await exchange(stolen, { client_id: other })).error, INVALID)
    // Who guesses a client id must not end the connection of another.
    assert.equal((await exchange(stolen)).error, undefined)
  })

  it('a refresh token works once; the second use ends all that came from it', async () => {
    const connection = await connect(harness, userId)
    const first = await exchange(connection)
    harness.clock.advance(HOUR_MS)
    const second = await refresh(connection, first.refresh)
    assert.equal(await opens(second.access), true)
    harness.clock.advance(21_000)
    assert.equal((await refresh(connection, first.refresh)).error, INVALID)
    assert.deepEqual([await isThere(connection), await opens(second.access)], [false, false])
    assert.equal((await refresh(connection, second.refresh)).error, INVALID)
  })

  it('side by side it may be used a few times, and the first that goes on ends the others', async () => {
    const connection = await connect(harness, userId)
    const { refresh: shared } = await exchange(connection)
    const pairs = await Promise.all([1, 2, 3].map(() => refresh(connection, shared)))
    assert.deepEqual(await Promise.all(pairs.map(({ access }) => opens(access))), [true, true, true])
    const [kept, thief] = pairs
    assert.equal((await refresh(connection, kept?.refresh ?? '')).error, undefined)
    assert.equal((await refresh(connection, thief?.refresh ?? '')).error, INVALID)
    assert.equal(await isThere(connection), false)
    const often = await connect(harness, userId)
    const { refresh: again } = await exchange(often)
    const answers = []
    for (let time = 0; time < 6; time++) answers.push((await refresh(often, again)).error)
    assert.deepEqual(answers, [undefined, undefined, undefined, undefined, undefined, INVALID])
  })

  it('a month without use, or a year, ends it', async () => {
    const idle = await connect(harness, userId)
    const { refresh: unused } = await exchange(idle)
    harness.clock.advance(30 * DAY_MS)
    assert.equal((await refresh(idle, unused)).error, INVALID)
    const busy = await connect(harness, userId)
    let { refresh: renewal } = await exchange(busy)
    for (let day = 0; day < 364; day += 28) {
      harness.clock.advance(28 * DAY_MS)
      renewal = (await refresh(busy, renewal)).refresh
      assert.notEqual(renewal, '', `day ${day}`)
    }
    harness.clock.advance(DAY_MS)
    assert.equal((await refresh(busy, renewal)).error, INVALID)
  })

  it('a renewal gives no more scopes, and is of no use to another client', async () => {
    const connection = await connect(harness, userId, { scopes: ['event:read'] })
    const { refresh: renewal } = await exchange(connection)
    assert.equal(
      (await refresh(connection, renewal, { scope: 'event:read event:write' })).error,
      'invalid_scope',
    )
    const other = register(harness)['client_id'] ?? ''
    assert.equal((await refresh(connection, renewal, { client_id: other })).error, INVALID)
    assert.equal((await refresh(connection, renewal)).scope, 'event:read')
  })

  it('connected again, the same application of the same person has one connection', async () => {
    const first = await connect(harness, userId)
    const { access } = await exchange(first)
    const second = await connect(harness, userId, { clientId: first.clientId })
    // Not before the code is exchanged: what was not finished takes nothing away.
    assert.equal(await opens(access), true)
    await exchange(second)
    assert.deepEqual([await opens(access), await isThere(first), await isThere(second)], [false, false, true])
  })

  it('it ends with the membership, rests with the account, and does no more than the person may', async () => {
    const person = await harness.member('bob@acme.test', 'admin')
    const connection = await connect(harness, person, { scopes: ['project:write'] })
    const { access, refresh: renewal } = await exchange(connection)
    const setDisabled = (disabledMs: number | null) =>
      harness.db.updateTable('user').set({ disabledMs }).where('id', '=', person).execute()
    await setDisabled(1)
    assert.deepEqual([await opens(access), (await refresh(connection, renewal)).error], [false, INVALID])
    await setDisabled(null)
    const viewer = await harness.access.viewerFromToken(access)
    assert.ok(viewer)
    await harness.access.openOrg(viewer, 'acme', 'project:write')
    await harness.db.updateTable('member').set({ role: 'viewer' }).where('user_id', '=', person).execute()
    const weaker = await harness.access.viewerFromToken(access)
    assert.ok(weaker)
    await assert.rejects(harness.access.openOrg(weaker, 'acme', 'project:write'), { kind: 'forbidden' })
    await assert.rejects(harness.access.openOrg(weaker, 'rival', 'org:read'), { kind: 'forbidden' })
    await harness.db.deleteFrom('member').where('user_id', '=', person).execute()
    assert.deepEqual([await opens(access), (await refresh(connection, renewal)).error], [false, INVALID])
  })

  it('revoked by the application, all of it ends; another’s token ends nothing', async () => {
    const connection = await connect(harness, userId)
    const { access, refresh: renewal } = await exchange(connection)
    const revoke = (token: string, client_id: string) =>
      harness.access.oauth.revoke(new URLSearchParams({ token, client_id }), undefined)
    await revoke(renewal, register(harness)['client_id'] ?? '')
    await revoke('', connection.clientId)
    assert.equal(await opens(access), true)
    await revoke(access, connection.clientId)
    assert.deepEqual([await opens(access), (await refresh(connection, renewal)).error], [false, INVALID])
  })

  it('one kind of secret is not taken for another, nor a grant of another kind', async () => {
    const connection = await connect(harness, userId)
    const { access, refresh: renewal } = await exchange(connection)
    assert.equal(await opens(renewal), false)
    assert.equal(await opens(connection.code), false)
    assert.equal((await refresh(connection, access)).error, INVALID)
    assert.equal((await exchange(connection, { code: renewal })).error, INVALID)
    assert.equal((await exchange(connection, { grant_type: 'password' })).error, 'unsupported_grant_type')
    assert.equal(await isThere(connection), true)
  })
})
