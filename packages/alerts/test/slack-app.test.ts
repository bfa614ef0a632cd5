import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { KnownBlock } from '@slack/types'
import {
  openSlackServer,
  SIGNING_SECRET,
  SLACK_TOKEN,
  type SlackServer,
} from '../../../tests/harness/slack-server.ts'
import { slackAppMessage } from '../src/channels/slack-app.ts'
import type { Message } from '../src/index.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

/** As the vendor publishes them. */
slackAppMessage satisfies (
  message: Message,
  hasButtons: boolean,
) => { text: string; blocks: readonly KnownBlock[] }

describe('Slack by an app', () => {
  let harness: Harness
  let slack: SlackServer
  let project: Awaited<ReturnType<Harness['project']>>
  let channelId = 0
  before(async () => {
    slack = await openSlackServer()
    harness = await openHarness((outgoing) => slack.through(outgoing))
    project = await harness.project('shop')
  })
  after(async () => {
    await harness.close()
    slack.close()
  })
  beforeEach(async () => {
    slack.forget()
    slack.refuse(undefined)
    await harness.records.updateTable('alert_rule').set({ is_enabled: 0 }).execute()
    channelId = await channel()
  })

  const channel = async (secret: object = {}): Promise<number> => {
    const { id } = await harness.records
      .insertInto('notification_channel')
      .values({
        org_id: project.orgId,
        kind: 'slack_app',
        name: 'Slack',
        settings: JSON.stringify({ channel: '#alerts' }),
        secret: await harness.deps.channels.seal.seal(
          JSON.stringify({ token: SLACK_TOKEN, signingSecret: SIGNING_SECRET, ...secret }),
        ),
        created_by: '',
        created_ms: NOW_MS,
        updated_ms: NOW_MS,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const rule = (coolDownMinutes = 0) =>
    harness.rule(project.id, {
      triggers: [{ type: 'new' }, { type: 'regressed' }],
      actions: [{ type: 'channel', channelId }],
      coolDownMinutes,
    })
  const minuteLater = () => harness.clock.advance(61_000)
  const delivery = () =>
    harness.records
      .selectFrom('notification')
      .select(['state', 'answer', 'next_attempt_ms'])
      .where('channel_id', '=', channelId)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()

  it('what follows about an issue answers the first message; bad news is shown in the channel too', async () => {
    await rule()
    const [issue, other] = [await harness.issue(project.id), await harness.issue(project.id)]
    await harness.change(project.id, issue.id, 'new', issue.eventId)
    await harness.settle()
    minuteLater()
    await harness.change(project.id, issue.id, 'regressed', issue.eventId)
    await harness.change(project.id, other.id, 'new', other.eventId)
    await harness.settle()
    minuteLater()
    await harness.change(project.id, issue.id, 'resolved')
    await harness.settle()
    const [first, ...more] = slack.posts
    assert.ok(first)
    assert.equal(first.channel, '#alerts')
    assert.deepEqual(
      slack.posts.map(({ thread_ts, reply_broadcast, text }) => [
        text.split(' ', 1)[0],
        thread_ts,
        reply_broadcast,
      ]),
      [
        ['New', undefined, undefined],
        ['Regression', first.ts, true],
        ['New', undefined, undefined],
        ['Resolved', first.ts, false],
      ],
    )
    assert.equal(more.length, 3)
  })

  it('buttons and the menu name the issue; what is resolved has none, nor has a channel without signing secret', async () => {
    await rule()
    const issue = await harness.issue(project.id)
    await harness.change(project.id, issue.id, 'new', issue.eventId)
    await harness.settle()
    const buttons = slack.posts[0]?.blocks.find(({ type }) => type === 'actions')
    assert.deepEqual(
      buttons?.elements?.map(({ action_id, value, text, placeholder }) => [
        action_id,
        value,
        (text ?? placeholder)?.text,
      ]),
      [
        ['issue-resolve', String(issue.id), 'Resolve'],
        ['issue-ignore', String(issue.id), 'Ignore'],
        [`issue-assign-${issue.id}`, undefined, 'Assign…'],
      ],
    )
    minuteLater()
    await harness.change(project.id, issue.id, 'resolved')
    await harness.settle()
    channelId = await channel({ signingSecret: undefined })
    await rule()
    const other = await harness.issue(project.id)
    await harness.change(project.id, other.id, 'new', other.eventId)
    await harness.settle()
    assert.equal(slack.posts.length, 4)
    const withButtons = slack.posts.filter(({ blocks }) => blocks.some(({ type }) => type === 'actions'))
    assert.equal(withButtons.length, 2, 'the first, and the other issue in the first channel')
  })

  it('a first message that was deleted there, or a channel that tells elsewhere now, begins a new thread', async () => {
    await rule()
    const issue = await harness.issue(project.id)
    const tell = async () => {
      minuteLater()
      await harness.change(project.id, issue.id, 'regressed', issue.eventId)
      await harness.settle()
      return slack.posts.at(-1)
    }
    await tell()
    slack.forget()
    const second = await tell()
    assert.equal(second?.thread_ts, undefined)
    assert.equal((await tell())?.thread_ts, second?.ts)
    await harness.records
      .updateTable('notification_channel')
      .set({ settings: JSON.stringify({ channel: '#others' }) })
      .where('id', '=', channelId)
      .execute()
    const elsewhere = await tell()
    assert.deepEqual([elsewhere?.channel, elsewhere?.thread_ts], ['#others', undefined])
    assert.equal((await tell())?.thread_ts, elsewhere?.ts)
  })

  it('200 with ok: false is a failure, with a sentence that says what to do, and tried again only when that helps', async () => {
    await rule()
    const failing = async (refusal: Parameters<SlackServer['refuse']>[0]) => {
      slack.refuse(refusal)
      const issue = await harness.issue(project.id)
      minuteLater()
      await harness.change(project.id, issue.id, 'new', issue.eventId)
      await harness.settle()
      return delivery()
    }
    for (const [error, words] of [
      ['invalid_auth', /install the app again/],
      ['channel_not_found', /correct the name/],
      ['not_in_channel', /\/invite/],
      ['is_archived', /choose another/],
      ['something_new', /Slack refused it \(something_new\)/],
    ] as const) {
      const { state, answer } = await failing({ error })
      assert.equal(state, 'failed', error)
      assert.match(answer, words)
      assert.ok(answer.includes(error))
    }
    const { answer } = await failing({ error: 'missing_scope', needed: 'chat:write' })
    assert.match(answer, /missing_scope chat:write/)
    assert.equal((await failing({ error: 'internal_error' })).state, 'waiting')
    const limited = await failing({ error: 'ratelimited', retryAfterSec: 77 })
    assert.deepEqual([limited.state, limited.next_attempt_ms - harness.clock.nowMs()], ['waiting', 77_000])
  })
})
