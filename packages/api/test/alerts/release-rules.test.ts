/** Rules that judge releases, as a script sets them up by token. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { createAlertRule, createChannel } from '@sonde/commands'
import { type Harness, openHarness } from '../harness.ts'

type Json = Record<string, unknown> & { readonly id: string }

const RULES = '/projects/acme/shop/release-rules/'
const MAIL = { type: 'email', targetType: 'all_members' }
const BODY = {
  name: 'Deployment gate',
  begins: 'deploy',
  afterMinutes: 30,
  early: true,
  verdicts: ['worse', 'better'],
  environment: 'production',
  owner: 'user:ann@acme.test',
  schedule: { timeZone: 'Europe/Berlin', days: [1, 2], fromMinute: 480, toMinute: 1080 },
}

describe('release rules of the API', () => {
  let harness: Harness
  let channelId = 0
  const tokens = new Map<string, string>()

  before(async () => {
    harness = await openHarness()
    await harness.project('acme', 'shop')
    await harness.project('acme', 'other')
    await harness.project('rival', 'secret')
    await harness.user('acme', 'ann@acme.test', 'member')
    const grant = await harness.access.openOrg(operatorViewer, 'acme', 'integration:write')
    const settings = { url: 'https://ci.example.com/gate' }
    const channel = { kind: 'webhook', name: 'CI', settings, secret: {} } as const
    channelId = (await createChannel(harness.commands, grant, channel)).id
    for (const [name, scopes, org] of [
      ['write', ['alerts:write', 'event:read'], 'acme'],
      ['read', ['alerts:read'], 'acme'],
      ['events', ['event:read'], 'acme'],
      ['rival', ['alerts:write', 'event:read'], 'rival'],
    ] as const)
      tokens.set(name, await harness.token(scopes, org))
  })
  after(() => harness.close())

  const call = async (as: string, method: string, path: string, body?: unknown) => {
    const response = await harness.fetch(`/api/0${path}`, {
      method,
      headers: { authorization: `Bearer ${tokens.get(as)}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, json: (text === '' ? null : JSON.parse(text)) as Json }
  }
  const body = (more: object = {}) => ({
    ...BODY,
    actions: [MAIL, { type: 'webhook', integrationId: channelId }],
    ...more,
  })

  it('come back as they were sent, are changed, switched off, muted and deleted', async () => {
    const { status, json } = await call('write', 'POST', RULES, body())
    assert.equal(status, 201, JSON.stringify(json))
    const { owner, ...sent } = BODY
    for (const [name, value] of Object.entries(sent)) assert.deepEqual(json[name], value, name)
    assert.match(String(json['owner']), /^user:/)
    const webhook = {
      type: 'webhook',
      targetType: 'specific',
      targetIdentifier: 'CI',
      integrationId: channelId,
    }
    assert.deepEqual(json['actions'], [{ ...MAIL, targetIdentifier: null }, webhook])
    assert.deepEqual([json['status'], json['projects'], json['lastTriggered']], ['active', ['shop'], null])
    assert.deepEqual((await call('read', 'GET', `${RULES}${json.id}/`)).json, json)
    const listed = (await call('read', 'GET', RULES)).json as unknown as readonly Json[]
    assert.deepEqual(
      listed.map(({ id }) => id),
      [json.id],
    )

    // What was read can be sent back.
    const again = await call('write', 'PUT', `${RULES}${json.id}/`, json)
    assert.deepEqual([again.status, again.json], [200, json])
    const put = await call('write', 'PUT', `${RULES}${json.id}/`, {
      name: 'Calmer',
      actions: [MAIL],
      status: 'disabled',
    })
    const { name, begins, afterMinutes, early, verdicts, environment, schedule } = put.json
    assert.deepEqual(
      [name, begins, afterMinutes, early, verdicts, environment, put.json['owner'], schedule],
      ['Calmer', 'first_event', 60, false, ['worse'], null, null, null],
    )
    assert.equal(put.json['status'], 'disabled')

    assert.equal((await call('write', 'POST', `${RULES}${json.id}/snooze/`, {})).status, 201)
    assert.equal((await call('read', 'GET', `${RULES}${json.id}/`)).json['snooze'], true)
    assert.equal((await call('write', 'DELETE', `${RULES}${json.id}/snooze/`)).status, 204)
    assert.equal((await call('write', 'DELETE', `${RULES}${json.id}/`)).status, 204)
    assert.equal((await call('read', 'GET', `${RULES}${json.id}/`)).status, 404)
    assert.equal(owner, 'user:ann@acme.test')
  })

  for (const [what, more, field] of [
    ['no name', { name: undefined }, 'name'],
    ['nobody to tell', { actions: [] }, 'actions'],
    ['actions that are no list', { actions: MAIL }, 'actions'],
    ['a hundred actions', { actions: Array.from({ length: 100 }, () => MAIL) }, 'actions'],
    ['an action of issues', { actions: [{ type: 'ticket' }] }, 'actions'],
    ['a channel that is not there', { actions: [{ type: 'webhook', integrationId: 999 }] }, 'actions'],
    ['an owner of another organization', { owner: 'user:bob@rival.test' }, 'owner'],
    ['a verdict that is none', { verdicts: ['awful'] }, 'verdicts'],
    ['no verdict', { verdicts: [] }, 'verdicts'],
    ['a beginning that is none', { begins: 'build' }, 'begins'],
    ['no time', { afterMinutes: 0 }, 'afterMinutes'],
    ['a text for a time', { afterMinutes: '30' }, 'afterMinutes'],
    ['a text for early', { early: 'yes' }, 'early'],
    ['an environment that is too long', { environment: 'x'.repeat(65) }, 'environment'],
  ] as const)
    it(`with ${what}: said beside the field`, async () => {
      const { status, json } = await call('write', 'POST', RULES, body(more))
      assert.deepEqual([status, Object.keys(json)], [400, [field]], JSON.stringify(json))
    })

  it('are read by whoever may read, written by whoever may write, and of one project', async () => {
    const { json } = await call('write', 'POST', RULES, body())
    const one = `${RULES}${json.id}/`
    for (const [method, path] of [
      ['POST', RULES],
      ['PUT', one],
      ['DELETE', one],
      ['POST', `${one}snooze/`],
      ['DELETE', `${one}snooze/`],
    ] as const)
      for (const as of ['read', 'events', 'rival'])
        assert.equal(
          (await call(as, method, path, method === 'DELETE' ? undefined : body())).status,
          403,
          `${as} ${method} ${path}`,
        )
    for (const path of [RULES, one])
      for (const as of ['events', 'rival']) assert.equal((await call(as, 'GET', path)).status, 403)
    // By a path that is theirs, with an id that is not.
    const theirs = `/projects/rival/secret/release-rules/${json.id}/`
    assert.equal((await call('rival', 'GET', theirs)).status, 404)
    assert.equal((await call('rival', 'DELETE', theirs)).status, 404)
    assert.equal(
      (await call('write', 'PUT', `/projects/acme/other/release-rules/${json.id}/`, body())).status,
      404,
    )
    // Of another kind, and none at all.
    const grant = await harness.access.openProject(operatorViewer, 'acme', 'shop', 'alert:write')
    const { id: issueRule } = await createAlertRule(harness.commands, grant, {
      kind: 'issue',
      name: 'Issues',
      rule: { triggers: [{ type: 'new' }], actions: [{ type: 'members' }] },
    })
    for (const id of [issueRule, '1e3', 0])
      assert.equal((await call('write', 'DELETE', `${RULES}${id}/`)).status, 404)
    assert.equal((await call('read', 'GET', `/projects/acme/shop/rules/${json.id}/`)).status, 404)
  })

  it('are made by what the documentation says', async () => {
    const docs = readFileSync(new URL('../../../../docs/release-verdict.md', import.meta.url), 'utf8')
    const [, sent = ''] = /--data '(\{[^']+\})'/.exec(docs) ?? []
    const { status, json } = await call('write', 'POST', RULES, sent)
    assert.deepEqual([status, json['name'], json['afterMinutes']], [201, 'Deployment gate', 30])
  })
})
