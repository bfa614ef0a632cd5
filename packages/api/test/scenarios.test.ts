import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Harness, NOW_MS, openHarness, PUBLIC_URL } from './harness.ts'
import { CHANGES } from './scenarios/changes.ts'
import { EVENTS } from './scenarios/events.ts'
import { ISSUES } from './scenarios/issues.ts'
import { KEYS } from './scenarios/keys.ts'
import { PROJECTS } from './scenarios/projects.ts'
import { HTML } from './scenarios/scenario.ts'
import { SESSIONS } from './scenarios/sessions.ts'
import { TAGS } from './scenarios/tags.ts'

const SCENARIOS = [...PROJECTS, ...ISSUES, ...TAGS, ...EVENTS, ...CHANGES, ...KEYS, ...SESSIONS]

describe('the public API', () => {
  let harness: Harness
  const callers = new Map<string, Record<string, string>>()
  const names = new Map<string, string>()

  before(async () => {
    harness = await openHarness()
    const shop = await harness.project('acme', 'shop')
    const secret = await harness.project('rival', 'secret')
    const issue = await harness.issue(shop.id, {}, [
      { timestampMs: NOW_MS - 3_600_000, userKey: 'id:1', tags: { 'browser.name': 'Firefox' } },
      { timestampMs: NOW_MS - 60_000, userKey: 'id:2', tags: { 'browser.name': 'Safari' } },
    ])
    const quiet = await harness.issue(shop.id, { title: HTML })
    const other = await harness.issue(secret.id, { title: 'Secret failure' })
    for (const [name, value] of [
      ['project', shop.id],
      ['key', shop.publicKey],
      ['other-project', secret.id],
      ['issue', issue.issueId],
      ['event', issue.eventIds[1]],
      ['quiet-event', quiet.eventIds[0]],
      ['other-issue', other.issueId],
      ['other-event', other.eventIds[0]],
    ] as const) {
      names.set(name, String(value))
    }
    const bearer = async (scopes: readonly string[], org?: string) => ({
      authorization: `Bearer ${await harness.token(scopes, org)}`,
    })
    const every = [
      'org:read',
      'project:read',
      'project:write',
      'project:releases',
      'event:read',
      'event:write',
    ]
    callers.set('nobody', {})
    callers.set('wrong', { authorization: `Bearer sonde_${'x'.repeat(43)}` })
    callers.set('all', await bearer(every))
    callers.set('acme', await bearer(every, 'acme'))
    callers.set('events-only', await bearer(['event:read'], 'acme'))
    await harness.project('acme', 'spare')
    callers.set('project-admin', await bearer(['project:admin'], 'acme'))
    callers.set('projects-only', await bearer(['project:read'], 'acme'))
    for (const role of ['viewer', 'member'] as const) {
      await harness.user('acme', `${role}@acme.test`, role)
      callers.set(role, { cookie: await harness.signIn(`${role}@acme.test`) })
    }
    await harness.access.createUser({ email: 'stranger@x.test', name: 'S', password: 'correct horse' })
    callers.set('stranger', { cookie: await harness.signIn('stranger@x.test') })
  })
  after(() => harness.close())

  const fill = (text: string): string =>
    text.replace(/\{([a-z-]+)\}/g, (whole, name: string) => names.get(name) ?? whole)

  for (const scenario of SCENARIOS) {
    it(scenario.name, async () => {
      const caller = callers.get(scenario.as)
      assert.ok(caller, scenario.as)
      const response = await harness.fetch(fill(scenario.path), {
        method: scenario.method ?? 'GET',
        headers: { ...caller, ...scenario.headers, 'content-type': 'application/json' },
        ...(scenario.body === undefined ? {} : { body: JSON.stringify(scenario.body) }),
      })
      const text = await response.text()
      assert.equal(response.status, scenario.status, text)
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
      if (response.status !== 204)
        assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
      for (const part of scenario.has ?? [])
        assert.ok(text.includes(fill(part)), `${fill(part)} is not in ${text}`)
      for (const part of scenario.hasNot ?? []) assert.ok(!text.includes(fill(part)), `${part} is in ${text}`)
    })
  }

  it('every list names both relations, also without results', async () => {
    const response = await harness.fetch('/api/0/organizations/acme/issues/?query=nothing-like-this', {
      headers: callers.get('acme') ?? {},
    })
    assert.equal(
      response.headers.get('link'),
      `<${PUBLIC_URL}/api/0/organizations/acme/issues/?query=nothing-like-this&cursor=0%3A0%3A1>; rel="previous"; results="false"; cursor="0:0:1", ` +
        `<${PUBLIC_URL}/api/0/organizations/acme/issues/?query=nothing-like-this&cursor=0%3A0%3A0>; rel="next"; results="false"; cursor="0:0:0"`,
    )
    assert.equal(response.headers.get('x-hits'), '0')
    assert.equal(response.headers.get('x-max-hits'), '1000')
  })
})
