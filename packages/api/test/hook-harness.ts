/** What Slack and pagers send to a server here: signed as they sign, and a Slack that answers and knows some people. */
import { createHmac } from 'node:crypto'
import { createApi } from '@sonde/api'
import { silentLogger } from '@sonde/base'
import { createOutgoing } from '@sonde/outgoing'
import type { ChannelKind } from '@sonde/stores'
import { openSlackServer, SIGNING_SECRET, SLACK_TOKEN } from '../../../tests/harness/slack-server.ts'
import { openHarness, PUBLIC_URL } from './harness.ts'

export type HookAnswer = { status: number; body: string }

export async function openHookHarness() {
  const outgoing = createOutgoing({ allowed: ['127.0.0.0/8'], userAgent: 'Sonde/test' })
  const harness = await openHarness()
  const slack = await openSlackServer()
  const { access, queries, commands, blobs } = harness
  const channels = { outgoing: slack.through(outgoing), seal: access.seal }
  const parts = { access, queries, commands, blobs, publicUrl: PUBLIC_URL, logger: silentLogger }
  const api = createApi({
    ...parts,
    channels,
    clientAddress: (headers) => headers.get('x-test-from') ?? '',
  })
  const project = await harness.project('acme', 'shop')
  await harness.project('rival', 'secret')
  for (const role of ['owner', 'member', 'viewer'] as const)
    await harness.user('acme', `${role}@acme.test`, role)
  await harness.user('rival', 'eve@rival.test', 'owner')
  const inTeam = (email: string, more: object = {}) => ({ team_id: 'T1', profile: { email }, ...more })
  slack.users.set('UMEMBER', inTeam('Member@ACME.test'))
  slack.users.set('UVIEWER', inTeam('viewer@acme.test'))
  slack.users.set('UEVE', inTeam('eve@rival.test'))
  slack.users.set('UNOMAIL', { team_id: 'T1', profile: {} })
  slack.users.set('UGUEST', inTeam('owner@acme.test', { team_id: 'T2' }))
  slack.users.set('USTRANGER', inTeam('owner@acme.test', { is_stranger: true }))
  slack.users.set('UUNSURE', inTeam('owner@acme.test', { is_email_confirmed: false }))
  const orgOf = async (slug: string): Promise<number> =>
    (
      await harness.db
        .selectFrom('organization')
        .select('id')
        .where('slug', '=', slug)
        .executeTakeFirstOrThrow()
    ).id
  const orgId = await orgOf('acme')
  async function channel(kind: ChannelKind, secret: object, org = orgId): Promise<number> {
    const { id } = await harness.db
      .insertInto('notification_channel')
      .values({
        org_id: org,
        kind,
        name: 'On call',
        settings: '{"channel":"#a"}',
        secret: await harness.access.seal.seal(JSON.stringify(secret)),
        created_by: '',
        created_ms: 0,
        updated_ms: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const slackChannel = (org = orgId) =>
    channel('slack_app', { token: SLACK_TOKEN, signingSecret: SIGNING_SECRET }, org)
  let from = 0
  async function post(
    id: number | string,
    headers: Record<string, string>,
    body: string,
  ): Promise<HookAnswer> {
    const address = new URL(`/api/0/channels/${id}/hook/`, PUBLIC_URL)
    const sent = { 'x-test-from': `address ${++from}`, ...headers }
    const answer = await api.fetch(new Request(address, { method: 'POST', headers: sent, body }))
    return { status: answer.status, body: await answer.text() }
  }
  const nowSec = () => Math.floor(harness.clock.nowMs() / 1_000)
  const signed = (body: string, atSec = nowSec(), secret = SIGNING_SECRET) => ({
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': String(atSec),
    'x-slack-signature': `v0=${createHmac('sha256', secret).update(`v0:${atSec}:${body}`).digest('hex')}`,
  })
  const BUTTONS = {
    type: 'actions',
    block_id: 'sonde-buttons',
    elements: [
      { type: 'button', action_id: 'incident-acknowledge', value: '1' },
      { type: 'button', action_id: 'incident-resolve', value: '1' },
    ],
  }
  const press = (user: string, action: string, value: number, more: object = {}): string =>
    new URLSearchParams({
      payload: JSON.stringify({
        type: 'block_actions',
        user: { id: user, team_id: 'T1' },
        response_url: 'https://hooks.slack.com/actions/T1/2/x',
        message: { text: 'New issue', blocks: [{ type: 'section', block_id: 'b1' }, BUTTONS] },
        actions: [{ type: 'button', action_id: action, value: String(value) }],
        ...more,
      }),
    }).toString()
  const statusOf = async (id: number): Promise<string> =>
    (await harness.db.selectFrom('issue').select('status').where('id', '=', id).executeTakeFirstOrThrow())
      .status
  const said = (): string => JSON.stringify(slack.answers.at(-1)?.body['text'])
  return {
    harness,
    slack,
    project,
    orgId,
    orgOf,
    channel,
    /** Of Slack, with a signing secret. */
    slackChannel,
    /** Of an address of its own unless told. */
    post,
    nowSec,
    signed,
    /** The body of a press of a button by somebody in Slack. */
    press,
    statusOf,
    /** What Slack was told last, as JSON. */
    said,
    async close() {
      await outgoing.close()
      slack.close()
      await harness.close()
    },
  }
}
export type HookHarness = Awaited<ReturnType<typeof openHookHarness>>
