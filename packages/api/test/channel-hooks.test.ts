/** What Slack, PagerDuty and Opsgenie send when somebody does something there: who proves it, who may, and what becomes of it. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { SIGNING_SECRET, SLACK_TOKEN } from '../../../tests/harness/slack-server.ts'
import { type HookAnswer, type HookHarness, openHookHarness } from './hook-harness.ts'

describe('what channels send', () => {
  let harness: HookHarness['harness']
  let slack: HookHarness['slack']
  let project: HookHarness['project']
  let orgId: HookHarness['orgId']
  let orgOf: HookHarness['orgOf']
  let channel: HookHarness['channel']
  let slackChannel: HookHarness['slackChannel']
  let post: HookHarness['post']
  let nowSec: HookHarness['nowSec']
  let signed: HookHarness['signed']
  let press: HookHarness['press']
  let statusOf: HookHarness['statusOf']
  let said: HookHarness['said']
  let hooks: HookHarness
  before(async () => {
    hooks = await openHookHarness()
    ;({
      harness,
      slack,
      project,
      orgId,
      orgOf,
      channel,
      slackChannel,
      post,
      nowSec,
      signed,
      press,
      statusOf,
      said,
    } = hooks)
  })
  after(() => hooks.close())
  beforeEach(() => {
    hooks.slack.answers.length = 0
    hooks.slack.refuse(undefined)
  })

  it('a press resolves the issue as the member whose address Slack names, and the message says who', async () => {
    const id = await slackChannel()
    const { issueId } = await harness.issue(project.id)
    const body = press('UMEMBER', 'issue-resolve', issueId)
    assert.deepEqual(await post(id, signed(body), body), { status: 200, body: '' })
    assert.equal(await statusOf(issueId), 'resolved')
    const change = await harness.db
      .selectFrom('issue_change')
      .select(['kind', 'actor'])
      .where('issue_id', '=', issueId)
      .executeTakeFirstOrThrow()
    const member = await harness.db
      .selectFrom('user')
      .select('id')
      .where('email', '=', 'member@acme.test')
      .executeTakeFirstOrThrow()
    assert.deepEqual(change, { kind: 'resolved', actor: `user:${member.id}` })
    assert.equal(slack.answers[0]?.path, '/actions/T1/2/x')
    const answer = slack.answers[0]?.body
    assert.equal(answer?.['replace_original'], true)
    assert.deepEqual(answer?.['blocks'], [
      { type: 'section', block_id: 'b1' },
      {
        type: 'context',
        elements: [{ type: 'plain_text', text: 'Resolved by member', emoji: false }],
      },
    ])
    // Once more, as a replay would: nothing but the same words.
    await post(id, signed(body), body)
    assert.equal(
      (await harness.db.selectFrom('issue_change').select('id').where('issue_id', '=', issueId).execute())
        .length,
      1,
    )
  })

  it('Ignore ignores', async () => {
    const { issueId } = await harness.issue(project.id)
    const body = press('UMEMBER', 'issue-ignore', issueId)
    await post(await slackChannel(), signed(body), body)
    assert.equal(await statusOf(issueId), 'ignored')
  })

  it('who looks only, who is of another organization or workspace, and who has no address, is told so and changes nothing', async () => {
    const id = await slackChannel()
    const { issueId } = await harness.issue(project.id)
    for (const [user, words] of [
      ['UVIEWER', /Your role in acme is to look only/],
      ['UEVE', /^"Nobody in acme has the address eve@rival\.test/],
      ['UNOMAIL', /users:read\.email/],
      ['UGUEST', /Only people of the workspace/],
      ['USTRANGER', /Only people of the workspace/],
      ['UUNSURE', /not confirmed in Slack/],
      ['UNOBODY', /did not say who you are/],
    ] as const) {
      const body = press(user, 'issue-resolve', issueId)
      assert.equal((await post(id, signed(body), body)).status, 200, user)
      assert.match(said(), words)
      assert.match(said(), /othing was changed/)
      assert.deepEqual(slack.answers.at(-1)?.body['response_type'], 'ephemeral')
    }
    assert.equal(await statusOf(issueId), 'unresolved')
  })

  it('an issue of another organization is not there, whoever signs', async () => {
    const { issueId } = await harness.issue(project.id)
    const id = await slackChannel(await orgOf('rival'))
    const body = press('UEVE', 'issue-resolve', issueId)
    assert.equal((await post(id, signed(body), body)).status, 200)
    assert.match(said(), /not there any more/)
    assert.equal(await statusOf(issueId), 'unresolved')
  })

  it('no channel, none that takes anything, a wrong, old or missing signature: one answer, and nothing is read', async () => {
    const id = await slackChannel()
    const { issueId } = await harness.issue(project.id)
    const body = press('UMEMBER', 'issue-resolve', issueId)
    const mute = await channel('slack_app', { token: SLACK_TOKEN })
    const webhook = await channel('webhook', { signingSecret: SIGNING_SECRET })
    const lost = await channel('slack_app', {})
    await harness.db.updateTable('notification_channel').set({ secret: '' }).where('id', '=', lost).execute()
    slack.calls.length = 0
    const answers = [
      await post(999_999, signed(body), body),
      await post('x', signed(body), body),
      await post(mute, signed(body), body),
      await post(mute, signed(body, nowSec(), ''), body),
      await post(webhook, signed(body), body),
      await post(lost, signed(body), body),
      await post(id, {}, body),
      await post(id, signed(body, nowSec(), 'cd'.repeat(16)), body),
      await post(id, signed(`${body}&x=1`), body),
      await post(id, signed(body, nowSec() - 301), body),
      await post(id, signed(body, nowSec() + 301), body),
      await post(id, { ...signed(body), 'x-slack-request-timestamp': `${nowSec()}.0` }, body),
    ]
    for (const answer of answers)
      assert.deepEqual(answer, {
        status: 404,
        body: '{"detail":"The requested resource does not exist"}',
      })
    assert.equal(await statusOf(issueId), 'unresolved')
    assert.deepEqual(slack.calls, [])
  })

  it('what is signed and no press of ours is taken or refused, and changes nothing', async () => {
    const id = await slackChannel()
    const send = async (body: string) => (await post(id, signed(body), body)).status
    assert.equal(await send('payload=%7B'), 400)
    assert.equal(await send('nothing'), 400)
    assert.equal(await send('payload=[]'), 400)
    assert.equal(await send('payload={"type":"block_actions"}'), 400)
    assert.equal(await send('payload={"type":"view_submission"}'), 200)
    assert.equal(await send(press('UMEMBER', 'issue-delete', 1)), 200)
    assert.equal(await send(press('UMEMBER', 'issue-resolve', -1)), 200)
    assert.equal(await send(`payload=${'x'.repeat(256 * 1024)}`), 400)
  })

  it('nobody but Slack is answered', async () => {
    const id = await slackChannel()
    for (const response_url of [
      'http://127.0.0.1:9/x',
      'http://hooks.slack.com/x',
      'https://hooks.slack.com.evil.test/x',
      'https://hooks.slack.com:444/x',
      'not an address',
    ]) {
      const { issueId } = await harness.issue(project.id)
      const body = press('UMEMBER', 'issue-resolve', issueId, { response_url })
      assert.equal((await post(id, signed(body), body)).status, 200)
      assert.equal(await statusOf(issueId), 'resolved')
    }
    assert.deepEqual(slack.answers, [])
  })

  it('one address sends so many a minute', async () => {
    const id = await slackChannel()
    let last: HookAnswer = { status: 0, body: '' }
    for (let at = 0; at <= 600; at++) last = await post(id, { 'x-test-from': 'one' }, '')
    assert.equal(last.status, 429)
    assert.equal((await post(id, { 'x-test-from': 'another' }, '')).status, 404)
  })

  let made = 0
  /** Of a metric, told to this channel. */
  async function incident(channelId: number, others: readonly number[] = []): Promise<number> {
    const { id } = await harness.db
      .insertInto('incident')
      .values({
        project_id: project.id,
        rule_id: null as never,
        rule_name: 'Rule',
        issue_id: null,
        dedup_key: `incident ${++made}`,
        cause: '{}',
        started_ms: 0,
        fired_ms: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const told of [channelId, ...others])
      await harness.db
        .insertInto('notification')
        .values({
          dedup_key: `notification ${++made}`,
          org_id: orgId,
          project_id: project.id,
          incident_id: id,
          medium: 'channel',
          channel_id: told,
          message: JSON.stringify({
            kind: 'metric',
            title: 'Errors',
            org: 'acme',
            project: 'shop',
            facts: [],
          }),
          state: 'sent',
          next_attempt_ms: 0,
          created_ms: 0,
        })
        .execute()
    return id
  }
  const stateOf = async (id: number) => {
    const row = await harness.db
      .selectFrom('incident')
      .select(['acknowledged_by', 'resolved_by'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return [row.acknowledged_by, row.resolved_by]
  }
  const waiting = async (id: number) =>
    (
      await harness.db
        .selectFrom('notification')
        .select(['channel_id', 'message'])
        .where('incident_id', '=', id)
        .where('state', '=', 'waiting')
        .orderBy('id')
        .execute()
    ).map(({ channel_id, message }) => [channel_id, (JSON.parse(message) as { kind: string }).kind])

  it('Slack: an incident of a metric is acknowledged, and may still be resolved from there', async () => {
    const id = await slackChannel()
    const incidentId = await incident(id)
    const body = press('UMEMBER', 'incident-acknowledge', incidentId)
    assert.equal((await post(id, signed(body), body)).status, 200)
    const [by] = await stateOf(incidentId)
    assert.match(by ?? '', /^user:/)
    const blocks = slack.answers[0]?.body['blocks'] as {
      elements?: { action_id?: string; text?: string }[]
    }[]
    assert.deepEqual(
      blocks.flatMap(({ elements = [] }) => elements.map(({ action_id, text }) => action_id ?? text)),
      ['incident-resolve', 'Acknowledged by member'],
    )
    const viewers = press('UVIEWER', 'incident-resolve', incidentId)
    await post(id, signed(viewers), viewers)
    assert.match(said(), /look only/)
    const resolving = press('UMEMBER', 'incident-resolve', incidentId)
    await post(id, signed(resolving), resolving)
    assert.match((await stateOf(incidentId))[1] ?? '', /^user:/)
  })

  const PD_SECRET = 'pd-secret'
  const pagerdutyBody = (type: string, key: unknown): string =>
    JSON.stringify({
      event: {
        id: 'E1',
        event_type: type,
        resource_type: 'incident',
        occurred_at: '2026-01-31T12:00:00Z',
        agent: { id: 'P1', type: 'user_reference', summary: 'Ann Onymous' },
        data: { id: 'Q1', type: 'incident', incident_key: key },
      },
    })
  const pagerdutySigned = (body: string, secret = PD_SECRET) => ({
    'x-pagerduty-signature': `v1=${'0'.repeat(64)}, v1=${createHmac('sha256', secret).update(body).digest('hex')}`,
  })

  it('PagerDuty: acknowledged, taken back and resolved there is so here; others are told, it is not', async () => {
    const id = await channel('pagerduty', { routingKey: 'a'.repeat(32), webhookSecret: PD_SECRET })
    const other = await channel('opsgenie', { apiKey: 'k' })
    const chat = await slackChannel()
    const incidentId = await incident(id, [other, chat])
    const tell = async (type: string, key: unknown = `sonde-incident-${incidentId}`) => {
      const body = pagerdutyBody(type, key)
      return (await post(id, pagerdutySigned(body), body)).status
    }
    assert.equal(await tell('incident.acknowledged'), 200)
    assert.equal(await tell('incident.acknowledged'), 200)
    assert.deepEqual(await stateOf(incidentId), [`channel:${id}`, ''])
    assert.deepEqual(await waiting(incidentId), [[other, 'acknowledged']])
    await tell('incident.unacknowledged')
    assert.deepEqual(await stateOf(incidentId), ['', ''])
    await tell('incident.resolved')
    await tell('incident.resolved')
    assert.deepEqual(await stateOf(incidentId), ['', `channel:${id}`])
    assert.deepEqual(
      (await waiting(incidentId)).slice(1).sort(([a], [b]) => Number(a) - Number(b)),
      [
        [other, 'resolved'],
        [chat, 'resolved'],
      ],
    )
    const audit = await harness.db
      .selectFrom('audit_entry')
      .select(['action', 'actor', 'detail'])
      .where('actor', '=', `channel:${id}`)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      audit.map(({ action }) => action),
      ['incident.acknowledge', 'incident.unacknowledge', 'incident.resolve'],
    )
    assert.deepEqual(JSON.parse(audit[0]?.detail ?? ''), { incidentId, by: 'Ann Onymous' })
    // Whatever else it has to say.
    assert.equal(await tell('incident.triggered'), 200)
    assert.equal(await tell('incident.resolved', null), 200)
    assert.equal(await tell('incident.resolved', 'a key of somebody else'), 200)
    const ping = '{"event":{"event_type":"pagey.ping","data":{"message":"hello"}}}'
    assert.equal((await post(id, pagerdutySigned(ping), ping)).status, 200)
    for (const broken of ['', '[]', '{"event":1}', '{"event":{"event_type":"incident.resolved"}}'])
      assert.equal((await post(id, pagerdutySigned(broken), broken)).status, 400)
  })

  it('PagerDuty: without the secret, with another, or about what this channel was never told, nothing changes', async () => {
    const id = await channel('pagerduty', { routingKey: 'a'.repeat(32), webhookSecret: PD_SECRET })
    const unset = await channel('pagerduty', { routingKey: 'a'.repeat(32) })
    const incidentId = await incident(unset)
    const body = pagerdutyBody('incident.resolved', `sonde-incident-${incidentId}`)
    assert.equal((await post(id, pagerdutySigned(body), body)).status, 200)
    assert.equal((await post(unset, pagerdutySigned(body, ''), body)).status, 404)
    assert.equal((await post(id, pagerdutySigned(body, 'other'), body)).status, 404)
    assert.equal((await post(id, {}, body)).status, 404)
    assert.deepEqual(await stateOf(incidentId), ['', ''])
  })

  it('Opsgenie: acknowledge and close by the token in a header', async () => {
    const token = 'a token of sixteen'.replaceAll(' ', '-')
    const id = await channel('opsgenie', { apiKey: 'k', webhookToken: token })
    const unset = await channel('opsgenie', { apiKey: 'k' })
    const incidentId = await incident(id)
    const tell = async (action: string, headers: Record<string, string>, to = id) => {
      const alert = { alertId: 'A1', alias: `sonde-incident-${incidentId}`, username: 'ann@acme.test' }
      const body = JSON.stringify({ action, alert, source: { name: 'web', type: 'API' } })
      return (await post(to, headers, body)).status
    }
    assert.equal(await tell('Close', {}), 404)
    assert.equal(await tell('Close', { 'x-sonde-token': `${token}x` }), 404)
    assert.equal(await tell('Close', { 'x-sonde-token': '' }, unset), 404)
    assert.deepEqual(await stateOf(incidentId), ['', ''])
    const headers = { 'x-sonde-token': token }
    assert.equal(await tell('Create', headers), 200)
    assert.equal(await tell('Acknowledge', headers), 200)
    assert.deepEqual(await stateOf(incidentId), [`channel:${id}`, ''])
    assert.equal(await tell('UnAcknowledge', headers), 200)
    assert.equal(await tell('Close', headers), 200)
    assert.deepEqual(await stateOf(incidentId), ['', `channel:${id}`])
    assert.deepEqual(await waiting(incidentId), [])
  })
})
