/** Alert rules as Terraform and scripts set them up: what was posted comes back, and what is wrong is said beside its field. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import { createChannel, updateAlertRule } from '@sonde/commands'
import { type Harness, NOW_MS, openHarness, PUBLIC_URL } from '../harness.ts'
import { EMAIL, FIRST_SEEN, FREQUENCY, ISSUE_BODY, METRIC_BODY, SLACK } from './bodies.ts'

type Json = Record<string, unknown> & { readonly id: string }

describe('alert rules of the API', () => {
  let harness: Harness
  let shopId = 0
  const tokens = new Map<string, string>()
  const ids = new Map<string, string>()

  before(async () => {
    harness = await openHarness()
    const shop = await harness.project('acme', 'shop')
    shopId = shop.id
    await harness.project('acme', 'other')
    await harness.project('rival', 'secret')
    await harness.user('acme', 'ann@acme.test', 'member')
    const grant = await harness.access.openOrg(operatorViewer, 'acme', 'integration:write')
    for (const [name, kind, secret] of [
      ['slack', 'slack', { url: 'https://hooks.slack.com/services/T/B/x' }],
      ['pagerduty', 'pagerduty', { routingKey: 'R'.repeat(32) }],
      ['webhook', 'webhook', {}],
    ] as const) {
      const settings = kind === 'webhook' ? { url: 'https://hooks.example.com/x' } : {}
      const { id } = await createChannel(harness.commands, grant, {
        kind,
        name: `#${name}`,
        settings,
        secret,
      })
      ids.set(name, String(id))
    }
    for (const [name, scopes, org] of [
      ['write', ['alerts:write', 'event:read'], 'acme'],
      ['read', ['alerts:read'], 'acme'],
      ['events', ['event:read'], 'acme'],
      ['rival', ['alerts:write', 'event:read'], 'rival'],
    ] as const)
      tokens.set(name, await harness.token(scopes, org))
  })
  after(() => harness.close())

  const filled = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll(/\{([a-z]+)\}/g, (_, name: string) => ids.get(name) ?? ''))

  const call = async (as: string, method: string, path: string, body?: unknown) => {
    const response = await harness.fetch(`/api/0${path}`, {
      method,
      headers: { authorization: `Bearer ${tokens.get(as)}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(filled(body)) }),
    })
    const text = await response.text()
    const json = (text === '' ? null : JSON.parse(text)) as Json & Record<string, readonly string[]>
    return { status: response.status, json, link: response.headers.get('link') }
  }
  const RULES = '/projects/acme/shop/rules/'
  const METRICS = '/organizations/acme/alert-rules/'
  const valueOf = async (id: string) => {
    const row = await harness.db
      .selectFrom('alert_rule')
      .select('value')
      .where('id', '=', Number(id))
      .executeTakeFirstOrThrow()
    return JSON.parse(row.value) as Record<string, unknown>
  }

  it('an issue rule comes back to the letter, and is a rule of ours', async () => {
    const { status, json } = await call('write', 'POST', RULES, ISSUE_BODY)
    assert.equal(status, 201, JSON.stringify(json))
    const sent = filled(ISSUE_BODY) as Record<string, unknown>
    const told = async () => (await call('read', 'GET', `${RULES}${json.id}/`)).json
    for (const answer of [json, await told()])
      for (const [name, value] of Object.entries(sent)) assert.deepEqual(answer[name], value, name)
    assert.equal(json['status'], 'active')
    const { ownerId, search, triggers, actions, environment, coolDownMinutes } = await valueOf(json.id)
    assert.deepEqual([environment, coolDownMinutes, (triggers as unknown[]).length], ['production', 60, 5])
    assert.equal(
      search,
      String.raw`level:[fatal, error] tags[customer tier]:"*pl\*\"us*" !error.type:"AbortError"`,
    )
    const places = (actions as { type: string }[]).map(({ type }) => type)
    assert.deepEqual(places, ['issue_owners', 'person', 'channel', 'channel', 'channel'])
    assert.equal(typeof ownerId, 'string')

    const changed = {
      ...ISSUE_BODY,
      name: 'Changed',
      conditions: [],
      frequency: 5,
      owner: null,
      environment: null,
    }
    const put = await call('write', 'PUT', `${RULES}${json.id}/`, changed)
    assert.deepEqual(
      [put.status, put.json['owner'], put.json['environment'], put.json['name']],
      [200, null, null, 'Changed'],
    )
    assert.deepEqual((await told())['conditions'], [])

    // Somebody changes it on the screen: what was sent does not hold any more.
    const grant = await harness.access.openProject(operatorViewer, 'acme', 'shop', 'alert:write')
    const rule = {
      triggers: [{ type: 'new' as const }],
      search: 'x y',
      actions: [{ type: 'members' as const }],
    }
    await updateAlertRule(harness.commands, grant, { ruleId: Number(json.id), rule })
    const anew = await told()
    assert.deepEqual(anew['conditions'], [{ id: FIRST_SEEN }])
    assert.deepEqual(anew['filters'], [{ id: 'sonde.filters.search', query: 'x y' }])
    assert.deepEqual(anew['actions'], [{ id: EMAIL, targetType: 'AllMembers' }])
    // And what is read then can be sent back.
    assert.equal((await call('write', 'PUT', `${RULES}${json.id}/`, anew)).status, 200)
    assert.equal((await valueOf(json.id))['search'], 'x y')

    assert.equal((await call('write', 'DELETE', `${RULES}${json.id}/`)).status, 202)
    assert.equal((await call('read', 'GET', `${RULES}${json.id}/`)).status, 404)
  })

  it('a list has pages, and the rule that every project begins with', async () => {
    await call('write', 'POST', RULES, { ...ISSUE_BODY, name: 'Another' })
    const all = await call('read', 'GET', RULES)
    const names = (all.json as unknown as Json[]).map((rule) => rule['name'])
    assert.deepEqual(names, ['Another', 'New and returning issues'])
    const first = await call('read', 'GET', `${RULES}?per_page=1`)
    assert.equal((first.json as unknown as Json[]).length, 1)
    assert.match(first.link ?? '', /rel="next"; results="true"; cursor="0:1:0"/)
    const second = await call('read', 'GET', `${RULES}?per_page=1&cursor=0:1:0`)
    assert.deepEqual(
      (second.json as unknown as Json[]).map((rule) => rule['name']),
      ['New and returning issues'],
    )
    assert.ok(second.link?.startsWith(`<${PUBLIC_URL}/api/0/projects/acme/shop/rules/`))
  })

  for (const [what, body, field] of [
    ['no name', { name: undefined }, 'name'],
    ['a frequency that is none', { frequency: 'often' }, 'frequency'],
    ['a frequency of months', { frequency: 90_000 }, 'frequency'],
    ['conditions that are no list', { conditions: { id: FIRST_SEEN } }, 'conditions'],
    ['a condition without an id', { conditions: [{ value: 1 }] }, 'conditions'],
    [
      'a condition that counts too high',
      { conditions: [{ id: FREQUENCY, value: 1e12, interval: '1h' }] },
      'conditions',
    ],
    [
      'twenty conditions',
      { conditions: Array.from({ length: 20 }, () => ({ id: FIRST_SEEN })) },
      'conditions',
    ],
    ['no action', { actions: [] }, 'actions'],
    ['a Slack that is not there', { actions: [{ id: SLACK, workspace: '999' }] }, 'actions'],
    ['an owner of another organization', { owner: 'user:bob@rival.test' }, 'owner'],
    ['a team as owner', { owner: 'team:1' }, 'owner'],
    ['an environment that is too long', { environment: 'x'.repeat(65) }, 'environment'],
    ['a match that is none', { filterMatch: 'some' }, 'filterMatch'],
  ] as const)
    it(`${what}: said beside the field`, async () => {
      const { status, json } = await call('write', 'POST', RULES, { ...ISSUE_BODY, ...body })
      assert.equal(status, 400, JSON.stringify(json))
      assert.deepEqual(Object.keys(json), [field])
      assert.ok((json[field]?.[0] ?? '').length > 5)
    })

  it('a metric rule comes back to the letter, its warning is a rule of its own', async () => {
    const { status, json } = await call('write', 'POST', METRICS, METRIC_BODY)
    assert.equal(status, 201, JSON.stringify(json))
    const read = await call('read', 'GET', `${METRICS}${json.id}/`)
    assert.deepEqual(read.json, json)
    assert.deepEqual((await call('read', 'GET', `/projects/acme/shop/alert-rules/${json.id}/`)).json, json)
    const { triggers, queryType: _, ...sent } = filled(METRIC_BODY) as typeof METRIC_BODY
    for (const [name, value] of Object.entries(sent)) assert.deepEqual(json[name], value, name)
    const answered = json['triggers'] as unknown as (typeof METRIC_BODY)['triggers']
    for (const [at, trigger] of triggers.entries()) {
      const { actions, ...fields } = trigger
      for (const [name, value] of Object.entries(fields))
        assert.deepEqual((answered[at] as Record<string, unknown>)[name], value, name)
      for (const [which, action] of actions.entries())
        for (const [name, value] of Object.entries(action))
          assert.deepEqual(
            (answered[at]?.actions[which] as Record<string, unknown> | undefined)?.[name],
            value,
            name,
          )
    }
    const rows = await harness.db
      .selectFrom('alert_rule')
      .select(['id', 'name', 'value'])
      .where('kind', '=', 'metric')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      rows.map(({ name, value }) => [name, (JSON.parse(value) as { trigger: number }).trigger]),
      [
        ['Counting Bad Requests', 200],
        ['Counting Bad Requests (warning)', 100],
      ],
    )
    const listed = await call('read', 'GET', METRICS)
    assert.deepEqual(
      (listed.json as unknown as Json[]).map(({ id }) => id),
      [json.id],
    )

    // As a client does that read it: with ids of triggers and actions, and what it does not know.
    const again = await call('write', 'PUT', `/projects/acme/shop/alert-rules/${json.id}/`, json)
    assert.deepEqual([again.status, again.json['triggers']], [200, json['triggers']])
    const [critical] = METRIC_BODY.triggers
    const put = await call('write', 'PUT', `${METRICS}${json.id}/`, { ...METRIC_BODY, triggers: [critical] })
    assert.equal((put.json['triggers'] as readonly unknown[]).length, 1)
    const left = await harness.db.selectFrom('alert_rule').select('id').where('kind', '=', 'metric').execute()
    assert.equal(left.length, 1)
    assert.equal((await call('write', 'DELETE', `${METRICS}${json.id}/`)).status, 204)
    assert.equal((await call('read', 'GET', `${METRICS}${json.id}/`)).status, 404)
  })

  it('a fall by half, and what is unusual, are said in their words', async () => {
    const trigger = {
      label: 'critical',
      alertThreshold: 50,
      actions: [{ type: 'email', targetType: 'all_members' }],
    }
    const body = {
      ...METRIC_BODY,
      thresholdType: 1,
      comparisonDelta: 10_080,
      resolveThreshold: 20,
      triggers: [trigger],
    }
    const fall = await call('write', 'POST', '/projects/acme/shop/alert-rules/', body)
    assert.equal(fall.status, 201, JSON.stringify(fall.json))
    const rule = await valueOf(fall.json.id)
    assert.deepEqual(
      [rule['compare'], rule['direction'], rule['trigger'], rule['resolve']],
      ['change', 'below', -50, -20],
    )
    const unusual = {
      ...METRIC_BODY,
      detectionType: 'dynamic',
      sensitivity: 'high',
      triggers: [{ ...trigger, alertThreshold: 0 }],
    }
    const odd = await call('write', 'POST', '/projects/acme/shop/alert-rules/', unusual)
    const { compare, sensitivity } = await valueOf(odd.json.id)
    assert.deepEqual([compare, sensitivity, odd.json['sensitivity']], ['anomaly', 'high', 'high'])
    for (const { json } of [fall, odd]) await call('write', 'DELETE', `${METRICS}${json.id}/`)
  })

  const only = (more: object) => ({ ...METRIC_BODY, ...more })
  const [CRITICAL, WARNING] = METRIC_BODY.triggers
  for (const [what, body, field] of [
    ['two projects', only({ projects: ['shop', 'other'] }), 'projects'],
    ['no project', only({ projects: undefined }), 'projects'],
    ['the project of somebody else', only({ projects: ['secret'] }), 'projects'],
    ['a window that is none', only({ timeWindow: 7 }), 'timeWindow'],
    ['no trigger', only({ triggers: [] }), 'triggers'],
    ['a warning alone', only({ triggers: [WARNING] }), 'triggers'],
    ['two of one label', only({ triggers: [CRITICAL, CRITICAL] }), 'triggers'],
    ['nobody to tell', only({ triggers: [{ ...CRITICAL, actions: [] }] }), 'triggers'],
    ['a threshold that is none', only({ triggers: [{ ...CRITICAL, alertThreshold: 'high' }] }), 'triggers'],
    [
      'a pager that is not there',
      only({ triggers: [{ ...CRITICAL, actions: [{ type: 'opsgenie' }] }] }),
      'triggers',
    ],
    ['both directions', only({ thresholdType: 2 }), 'thresholdType'],
    ['another time to compare with', only({ comparisonDelta: 60 }), 'comparisonDelta'],
    ['a search that cannot be read', only({ query: 'is:(' }), 'query'],
    ['a field of issues', only({ query: 'timesSeen:>5' }), 'query'],
    ['a measure that is none', only({ dataset: 'transactions', aggregate: 'p75()x' }), 'aggregate'],
    ['a share above one', only({ dataset: 'transactions', aggregate: 'failure_rate()' }), 'triggers'],
  ] as const)
    it(`a metric rule with ${what}: said beside the field`, async () => {
      const before = await harness.db.selectFrom('alert_rule').select('id').execute()
      const { status, json } = await call('write', 'POST', METRICS, body)
      assert.equal(status, 400, JSON.stringify(json))
      assert.deepEqual(Object.keys(json), [field])
      assert.equal((await harness.db.selectFrom('alert_rule').select('id').execute()).length, before.length)
    })

  it('is muted for everybody until a time or for good, and that ends', async () => {
    const { json } = await call('write', 'POST', RULES, ISSUE_BODY)
    const path = `${RULES}${json.id}/snooze/`
    const until = new Date(NOW_MS + 3_600_000).toISOString()
    const muted = await call('write', 'POST', path, { target: 'everyone', until })
    assert.deepEqual(
      [muted.status, muted.json['userId'], muted.json['ruleId']],
      [201, 'everyone', Number(json.id)],
    )
    assert.equal((await call('read', 'GET', `${RULES}${json.id}/`)).json['snooze'], true)
    assert.equal((await call('write', 'DELETE', path)).status, 204)
    assert.equal((await call('read', 'GET', `${RULES}${json.id}/`)).json['snooze'], false)
    assert.equal((await call('write', 'POST', path, {})).json['until'], 'forever')
    assert.equal((await call('write', 'POST', path, { target: 'me' })).status, 400)
    assert.equal((await call('write', 'POST', path, { until: 'yesterday' })).status, 400)
    assert.equal((await call('read', 'POST', path, {})).status, 403)
    assert.equal(
      (await call('write', 'POST', `/projects/acme/shop/alert-rules/${json.id}/snooze/`, {})).status,
      404,
    )
    await call('write', 'DELETE', `${RULES}${json.id}/`)
  })

  it('whoever may read may not write, and nobody reaches into another organization', async () => {
    const { json: issue } = await call('write', 'POST', RULES, ISSUE_BODY)
    const { json: metric } = await call('write', 'POST', METRICS, METRIC_BODY)
    const projectMetric = `/projects/acme/shop/alert-rules/${metric.id}/`
    const writes = [
      ['POST', RULES],
      ['PUT', `${RULES}${issue.id}/`],
      ['DELETE', `${RULES}${issue.id}/`],
      ['POST', METRICS],
      ['PUT', `${METRICS}${metric.id}/`],
      ['DELETE', `${METRICS}${metric.id}/`],
      ['PUT', projectMetric],
      ['DELETE', projectMetric],
      ['DELETE', `${projectMetric}snooze/`],
    ] as const
    for (const [method, path] of writes) {
      const body = method === 'DELETE' ? undefined : path.includes('alert-rules') ? METRIC_BODY : ISSUE_BODY
      for (const [as, status] of [
        ['read', 403],
        ['events', 403],
        ['rival', 403],
      ] as const)
        assert.equal((await call(as, method, path, body)).status, status, `${as} ${method} ${path}`)
    }
    for (const path of [RULES, `${RULES}${issue.id}/`, METRICS, `${METRICS}${metric.id}/`, projectMetric]) {
      assert.equal((await call('events', 'GET', path)).status, 403)
      assert.equal((await call('rival', 'GET', path)).status, 403)
    }
    // By a path that is theirs, with an id that is not.
    assert.equal((await call('rival', 'GET', `/organizations/rival/alert-rules/${metric.id}/`)).status, 404)
    assert.equal((await call('rival', 'DELETE', `/projects/rival/secret/rules/${issue.id}/`)).status, 404)
    assert.equal(
      (await call('write', 'PUT', `/projects/acme/other/rules/${issue.id}/`, ISSUE_BODY)).status,
      404,
    )
    // Of the other kind, and none at all.
    assert.equal((await call('read', 'GET', `${RULES}${metric.id}/`)).status, 404)
    assert.equal((await call('read', 'GET', `${METRICS}${issue.id}/`)).status, 404)
    assert.equal((await call('read', 'GET', `${RULES}1e3/`)).status, 404)
    assert.equal((await call('read', 'GET', RULES)).json.length, 3)
  })

  it('who is told of spikes comes back too', async () => {
    const path = '/organizations/acme/notifications/actions/'
    const body = {
      triggerType: 'spike-protection',
      serviceType: 'slack',
      integrationId: '{slack}',
      targetIdentifier: 'C0123',
      targetDisplay: '#alerts',
      projects: ['shop'],
    }
    const made = await call('write', 'POST', path, body)
    assert.equal(made.status, 201, JSON.stringify(made.json))
    const { projects, integrationId, ...rest } = made.json
    assert.deepEqual([projects, integrationId], [[shopId], Number(ids.get('slack'))])
    assert.equal(rest['targetDisplay'], '#alerts')
    assert.deepEqual((await call('read', 'GET', `${path}${made.json.id}/`)).json, made.json)
    const mail = {
      trigger_type: 'spike-protection',
      service_type: 'sentry_notification',
      target_identifier: 'default',
    }
    const put = await call('write', 'PUT', `${path}${made.json.id}/`, mail)
    assert.deepEqual(
      [put.status, put.json['serviceType'], put.json['projects']],
      [202, 'sentry_notification', []],
    )
    const row = await harness.db.selectFrom('notification_action').selectAll().executeTakeFirstOrThrow()
    assert.deepEqual([row.channel_id, row.user_id, row.trigger_type], [null, null, 'spike-protection'])
    for (const [change, field] of [
      [{ triggerType: 'audit-log' }, 'triggerType'],
      [{ serviceType: 'fax' }, 'serviceType'],
      [{ integrationId: 999 }, undefined],
      [{ integrationId: 999, targetDisplay: undefined }, 'integrationId'],
      [{ projects: ['secret'] }, 'projects'],
      [{ serviceType: 'email', targetIdentifier: 'bob@rival.test' }, 'targetIdentifier'],
    ] as const) {
      const { status, json } = await call('write', 'POST', path, {
        ...body,
        targetDisplay: '#slack',
        ...change,
      })
      assert.deepEqual([status, Object.keys(json)[0]], field === undefined ? [201, 'id'] : [400, field])
    }
    assert.equal((await call('read', 'POST', path, body)).status, 403)
    assert.equal((await call('rival', 'GET', `${path}${made.json.id}/`)).status, 403)
    assert.equal(
      (await call('rival', 'DELETE', `/organizations/rival/notifications/actions/${made.json.id}/`)).status,
      404,
    )
    assert.equal((await call('write', 'DELETE', `${path}${made.json.id}/`)).status, 204)
    assert.equal((await call('read', 'GET', `${path}${made.json.id}/`)).status, 404)
    const integrations = await call('read', 'GET', '/organizations/acme/integrations/?provider_key=slack')
    assert.deepEqual(
      (integrations.json as unknown as Json[]).map(({ id }) => id),
      [ids.get('slack')],
    )
  })
})
