/** Rules of grouping in the words of Sentry's API. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Harness, openHarness } from './harness.ts'

const PATH = '/api/0/projects/acme/shop/'

describe('grouping of a project', () => {
  let harness: Harness
  let cookies: Readonly<Record<'admin' | 'member' | 'stranger', string>>
  before(async () => {
    harness = await openHarness()
    await harness.project('acme', 'shop')
    await harness.project('globex', 'mill')
    await harness.user('acme', 'ada@acme.test', 'admin')
    await harness.user('acme', 'grace@acme.test', 'member')
    await harness.user('globex', 'eve@globex.test', 'owner')
    cookies = {
      admin: await harness.signIn('ada@acme.test'),
      member: await harness.signIn('grace@acme.test'),
      stranger: await harness.signIn('eve@globex.test'),
    }
  })
  after(() => harness.close())

  const ask = async (method: 'GET' | 'PUT', body?: object, as: keyof typeof cookies = 'admin') => {
    const answer = await harness.fetch(PATH, {
      method,
      headers: { cookie: cookies[as], origin: 'http://sonde.test:8600', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const RULES = {
    fingerprintingRules: 'error.type:Db* -> system-down',
    groupingEnhancements: 'function:x -app',
  }

  it('is read and changed under the names that clients know; what is left out stays', async () => {
    const before = await ask('GET')
    assert.deepEqual(
      [
        before.body['groupingConfig'],
        before.body['fingerprintingRules'],
        before.body['groupingEnhancements'],
      ],
      ['v1', '', ''],
    )
    const put = await ask('PUT', RULES)
    assert.equal(put.status, 200)
    await ask('PUT', { groupingConfig: 'v2' })
    const { body } = await ask('GET')
    assert.deepEqual(
      [
        body['fingerprintingRules'],
        body['groupingEnhancements'],
        body['groupingConfig'],
        body['secondaryGroupingConfig'],
      ],
      [RULES.fingerprintingRules, RULES.groupingEnhancements, 'v2', 'v1'],
    )
    assert.ok(Number(body['secondaryGroupingExpiry']) > 0)
  })

  it('rules that cannot be read, and a version that is none, change nothing', async () => {
    const refused = await ask('PUT', { fingerprintingRules: 'typ:x -> a' })
    assert.equal(refused.status, 400)
    assert.match(JSON.stringify(refused.body), /fingerprintingRules.*Line 1, column 1/)
    assert.equal((await ask('PUT', { groupingConfig: 'newstyle:2023-01-11' })).status, 400)
    assert.equal((await ask('GET')).body['fingerprintingRules'], RULES.fingerprintingRules)
  })

  it('is changed by who may write to the project alone', async () => {
    assert.equal((await ask('PUT', RULES, 'member')).status, 403)
    assert.equal((await ask('PUT', RULES, 'stranger')).status, 404)
    assert.equal((await ask('GET', undefined, 'stranger')).status, 404)
  })
})
