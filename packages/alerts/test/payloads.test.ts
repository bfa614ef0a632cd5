/**
 * What each kind of channel sends, as a receiver on this machine gets it: to the right address, within the service's limits,
 * and nothing that a program wrote becomes a link, a mention or markup.
 */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { ApiMethods } from '@grammyjs/types'
import type { KnownBlock } from '@slack/types'
import { createOutgoing, type Outgoing } from '@sonde/outgoing'
import type { ChannelKind } from '@sonde/stores'
import type * as Cards from 'adaptivecards'
import type { RESTPostAPIWebhookWithTokenJSONBody } from 'discord-api-types/v10'
import { CHANNELS, deliverToChannel } from '../src/channels/channels.ts'
import { discordMessage } from '../src/channels/discord.ts'
import { slackMessage } from '../src/channels/slack.ts'
import { telegramMessage } from '../src/channels/telegram.ts'
import type { Message } from '../src/index.ts'
import { NOW_MS, openReceiver } from './harness.ts'

/** The types that the vendors publish: a value that they do not know fails the check of types. */
type SlackBody = { text: string; blocks: readonly KnownBlock[] }
slackMessage satisfies (message: Message) => SlackBody
discordMessage satisfies (message: Message) => RESTPostAPIWebhookWithTokenJSONBody
telegramMessage satisfies (message: Message, chatId: string) => TelegramBody
type TelegramBody = Parameters<ApiMethods<never>['sendMessage']>[0]

/** Its entry for programs names files that are not there in Node. */
const { AdaptiveCard, SerializationContext } = createRequire(import.meta.url)(
  'adaptivecards/dist/adaptivecards.js',
) as typeof Cards

const NASTY =
  '@everyone @here <!channel> <!subteam^S1> <@U1> <at>All</at> ](javascript:alert(1)) [x](https://evil.test) ' +
  '**b** _i_ ~s~ `c` # h | > q \\ & " \' <b>x</b> {{x}}\n\n- @channel\r\n\u0000'
const long = (chars: number): string => `${NASTY}${'x'.repeat(chars)}`
const HOSTILE: Message = {
  kind: 'new',
  headline: 'New issue in acme/shop',
  title: long(100_000),
  place: `x${'👍'.repeat(50_000)}`,
  level: 'error',
  facts: [
    ['Empty', '  '],
    ...Array.from({ length: 50 }, (_, at) => [`Fact ${at}`, `${NASTY}${'&👍'.repeat(5_000)}`] as const),
  ],
  url: 'https://sonde.test/acme/shop/issues/SHOP-1',
  org: 'acme',
  project: 'shop',
  issue: { id: 1, shortId: 'SHOP-1' },
  rule: { id: 2, name: NASTY },
  incidentId: 7,
  atMs: NOW_MS,
  parts: Array.from({ length: 10 }, () => ({
    headline: 'New issue',
    title: `${NASTY}${'<&>'.repeat(1_000)}`,
    url: 'https://sonde.test/acme/shop/issues/SHOP-2',
  })),
  count: 1_000,
}

const seal = { seal: async (text: string) => text, open: async (text: string) => text }

describe('what channels send', () => {
  let receiver: Awaited<ReturnType<typeof openReceiver>>
  let outgoing: Outgoing
  before(async () => {
    receiver = await openReceiver()
    outgoing = createOutgoing({ allowed: ['127.0.0.0/8'], userAgent: 'Sonde/test' })
  })
  after(async () => {
    await outgoing.close()
    receiver.close()
  })
  beforeEach(() => {
    receiver.received.length = 0
  })

  /** Slack's API has an address of its own, which is no setting. */
  const toReceiver: Outgoing = {
    request: (request) =>
      outgoing.request({ ...request, url: request.url.replace('https://slack.com', receiver.url) }),
    stream: (request, signal) => outgoing.stream(request, signal),
    probe: (request) => outgoing.probe(request),
    close: () => outgoing.close(),
  }
  /** As it arrives; `body` read. */
  async function send(kind: ChannelKind, message: Message, key = 'key-1') {
    const apiUrl = receiver.url
    const url = `${receiver.url}/hook?a=b`
    const channels: Record<ChannelKind, { settings: object; secret: object }> = {
      slack: { settings: {}, secret: { url } },
      slack_app: {
        settings: { channel: '#alerts' },
        secret: { token: 'xoxb-1-abc', signingSecret: 'ab'.repeat(16) },
      },
      discord: { settings: {}, secret: { url } },
      teams: { settings: {}, secret: { url } },
      mattermost: { settings: {}, secret: { url } },
      telegram: { settings: { apiUrl, chatId: '-100123' }, secret: { token: '123:ABC-def' } },
      pagerduty: { settings: { apiUrl }, secret: { routingKey: 'a'.repeat(32) } },
      opsgenie: { settings: { apiUrl: `${apiUrl}/` }, secret: { apiKey: 'k-1' } },
      ntfy: { settings: { serverUrl: apiUrl }, secret: { topic: 'shop-1', token: 'tk_1' } },
      webhook: { settings: { url }, secret: { key: `whsec_${Buffer.alloc(32, 7).toString('base64')}` } },
      sentry_webhook: { settings: { url }, secret: { clientSecret: 's3cret' } },
    }
    const { settings, secret } = channels[kind]
    const row = { kind, settings: JSON.stringify(settings), secret: JSON.stringify(secret) }
    const isSlackApp = kind === 'slack_app'
    const body = isSlackApp ? '{"ok":true,"channel":"C1","ts":"1.2"}' : 'ok'
    receiver.answer(() => ({ status: 200, body }))
    const result = await deliverToChannel({ outgoing: toReceiver, seal }, row, {
      key,
      message,
      nowMs: NOW_MS,
    })
    assert.deepEqual(
      [result.isDelivered, result.answer],
      [true, isSlackApp ? 'ok: in C1 at 1.2' : '200 ok'],
      kind,
    )
    const request = receiver.received.at(-1)
    assert.ok(request)
    const json: unknown = JSON.parse(request.body)
    return { ...request, json: json as Record<string, never> }
  }
  /** Every text in it, however deep. */
  const textsOf = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap((each) => textsOf(each))
        : []

  it('whole characters, one request each, as JSON, whatever a program wrote', async () => {
    for (const kind of Object.keys(CHANNELS) as ChannelKind[]) {
      const { headers, body } = await send(kind, HOSTILE)
      assert.match(headers['content-type'] ?? '', /^application\/json/, kind)
      assert.equal(headers['user-agent'], 'Sonde/test')
      for (const text of textsOf(JSON.parse(body))) assert.ok(text.isWellFormed(), kind)
    }
    assert.equal(receiver.received.length, Object.keys(CHANNELS).length)
  })

  it('Slack: blocks within their limits; the three characters that mean something are escaped', async () => {
    const app = await send('slack_app', HOSTILE)
    assert.deepEqual([app.path, app.headers.authorization], ['/api/chat.postMessage', 'Bearer xoxb-1-abc'])
    const { path, json } = await send('slack', HOSTILE)
    assert.equal(path, '/hook?a=b')
    const { blocks: appBlocks } = app.json as unknown as { blocks: KnownBlock[] }
    assert.deepEqual(appBlocks.slice(0, -1), (json as unknown as { blocks: unknown }).blocks)
    assert.equal(appBlocks.at(-1)?.type, 'actions')
    const { blocks, text } = json as unknown as { blocks: KnownBlock[]; text: string }
    assert.ok(text.length <= 3_000 && !/[<>]/.test(text))
    for (const block of blocks) {
      if (block.type === 'header') assert.ok(block.text.text.length <= 150)
      if (block.type !== 'section') continue
      assert.ok(block.text && block.text.text.length > 0 && block.text.text.length <= 3_000)
      assert.ok((block.fields ?? []).length <= 10)
      for (const field of [block.text, ...(block.fields ?? [])]) {
        assert.ok(field.text.length <= 2_000 || field === block.text)
        // What is left of < and > is our own links alone.
        const rest = field.text.replaceAll(/<https:\/\/sonde\.test\/[\w/-]+\|[^<>]*>/g, '')
        assert.ok(!/[<>]/.test(rest), rest)
        assert.ok(!/&(?!amp;|lt;|gt;)/.test(rest), rest)
        assert.deepEqual((field as { verbatim?: boolean }).verbatim, true)
      }
    }
  })

  it('Discord: an embed within its limits that calls nobody', async () => {
    const { json } = await send('discord', HOSTILE)
    const body = json as RESTPostAPIWebhookWithTokenJSONBody
    assert.deepEqual(body.allowed_mentions, { parse: [] })
    const [embed] = body.embeds ?? []
    assert.ok(embed)
    assert.ok((embed.title?.length ?? 0) <= 256 && (embed.description?.length ?? 0) <= 4_096)
    assert.ok((embed.fields ?? []).length <= 25)
    for (const { name, value } of embed.fields ?? [])
      assert.ok(name.length >= 1 && name.length <= 256 && value.length >= 1 && value.length <= 1_024)
    const counted = [embed.title, embed.description, embed.author?.name, ...textsOf(embed.fields)]
    assert.ok(counted.join('').length <= 6_000)
    assert.ok(!/(?<!\\)\]\((?!https:\/\/sonde\.test)/.test(embed.description ?? ''))
  })

  it('Teams: a card that the vendor’s own reader takes without a complaint, below 28 kB', async () => {
    for (const message of [HOSTILE, { ...HOSTILE, title: '漢'.repeat(1_000), facts: wide(50), parts: [] }]) {
      const { json, body } = await send('teams', message)
      assert.ok(Buffer.byteLength(body) < 28_000, String(Buffer.byteLength(body)))
      const { attachments } = json as unknown as {
        attachments: readonly { contentType: string; content: object }[]
      }
      assert.equal(attachments[0]?.contentType, 'application/vnd.microsoft.card.adaptive')
      const context = new SerializationContext()
      const card = new AdaptiveCard()
      card.parse(attachments[0].content, context)
      const complaints = Array.from({ length: context.eventCount }, (_, at) => context.getEventAt(at).message)
      const found = card.validateProperties().validationEvents.map(({ message: text }) => text)
      assert.deepEqual([...complaints, ...found], [])
      // Rich text knows no Markdown; a TextBlock and a FactSet do.
      const { body: elements } = attachments[0].content as { body: readonly { type: string }[] }
      assert.deepEqual([...new Set(elements.map(({ type }) => type))], ['RichTextBlock'])
    }
  })

  it('Mattermost: an attachment within a post that mentions nobody', async () => {
    const { json, body } = await send('mattermost', HOSTILE)
    assert.ok(body.length < 16_000)
    const { attachments } = json as unknown as { attachments: readonly { fallback: string }[] }
    for (const text of textsOf(json)) {
      assert.ok(!/@(?!\u200b)/.test(text), text)
      // That one is plain text.
      if (text !== attachments[0]?.fallback)
        assert.ok(!/(?<!\\)\]\((?!https:\/\/sonde\.test)/.test(text), text)
    }
  })

  it('Telegram: HTML of known tags, at most 4,096 characters, that calls nobody', async () => {
    const { path, json } = await send('telegram', HOSTILE)
    assert.equal(path, '/bot123:ABC-def/sendMessage')
    const body = json as unknown as TelegramBody
    assert.equal(body.chat_id, '-100123')
    assert.equal(body.parse_mode, 'HTML')
    assert.ok(body.text.length <= 4_096)
    const tags = body.text.replaceAll(/<\/?(?:b|code)>|<a href="https:\/\/sonde\.test[^"]*">|<\/a>/g, '')
    assert.ok(!/[<>]|@(?!\u200b)/.test(tags), tags)
    const count = (tag: RegExp): number => body.text.match(tag)?.length ?? 0
    assert.equal(count(/<a /g), count(/<\/a>/g))
    assert.equal(count(/<code>/g), count(/<\/code>/g))
  })

  it('PagerDuty: the end of an incident has the key of its beginning', async () => {
    const begun = await send('pagerduty', HOSTILE, 'first')
    assert.equal(begun.path, '/v2/enqueue')
    const { payload, ...event } = begun.json as unknown as {
      payload: { summary: string; severity: string; custom_details: object; component: string }
      event_action: string
      dedup_key: string
      routing_key: string
    }
    assert.equal(event.event_action, 'trigger')
    assert.equal(event.routing_key, 'a'.repeat(32))
    assert.ok(payload.summary.length <= 1_024 && payload.component.length <= 255)
    assert.ok(['critical', 'error', 'warning', 'info'].includes(payload.severity))
    assert.ok(Buffer.byteLength(begun.body) < 512_000)
    const ended = await send('pagerduty', { ...HOSTILE, kind: 'resolved' }, 'another')
    assert.deepEqual(ended.json, {
      routing_key: 'a'.repeat(32),
      event_action: 'resolve',
      dedup_key: event.dedup_key,
    })
    const seen = await send('pagerduty', { ...HOSTILE, kind: 'acknowledged' }, 'a third')
    assert.deepEqual(seen.json, { ...ended.json, event_action: 'acknowledge' })
  })

  it('Opsgenie: the end of an incident closes the alert of its beginning', async () => {
    const begun = await send('opsgenie', HOSTILE, 'first')
    assert.equal(begun.path, '/v2/alerts')
    assert.equal(begun.headers.authorization, 'GenieKey k-1')
    const { message, alias, description, details, priority } = begun.json
    assert.ok(String(message).length <= 130 && String(alias).length <= 512)
    assert.ok(String(description).length <= 15_000)
    assert.ok(
      Object.entries(details ?? {})
        .flat()
        .join('').length <= 8_000,
    )
    assert.match(String(priority), /^P[1-5]$/)
    const ended = await send('opsgenie', { ...HOSTILE, kind: 'resolved' }, 'another')
    assert.equal(ended.path, `/v2/alerts/${String(alias)}/close?identifierType=alias`)
    const seen = await send('opsgenie', { ...HOSTILE, kind: 'acknowledged' }, 'a third')
    assert.equal(seen.path, `/v2/alerts/${String(alias)}/acknowledge?identifierType=alias`)
  })

  it('ntfy: a message of at most 4,096 bytes to the topic', async () => {
    for (const message of [HOSTILE, { ...HOSTILE, title: '漢'.repeat(1_000), facts: wide(50) }]) {
      const { path, headers, json } = await send('ntfy', message)
      assert.deepEqual([path, headers.authorization], ['/', 'Bearer tk_1'])
      const body = json as unknown as { topic: string; message: string; click: string; priority: number }
      assert.deepEqual([body.topic, body.click], ['shop-1', HOSTILE.url])
      assert.ok(Buffer.byteLength(body.message) <= 4_096)
      assert.ok(body.priority >= 1 && body.priority <= 5)
    }
  })

  it('a webhook as Sentry sends it: the resource, the time and a signature of the body', async () => {
    const { headers, json } = await send('sentry_webhook', HOSTILE, 'first')
    assert.equal(headers['sentry-hook-resource'], 'event_alert')
    assert.equal(headers['request-id'], 'first')
    assert.match(String(headers['sentry-hook-signature']), /^[0-9a-f]{64}$/)
    assert.equal((json as unknown as { action: string }).action, 'triggered')
    const ended = await send('sentry_webhook', { ...HOSTILE, kind: 'resolved' })
    assert.equal(ended.headers['sentry-hook-resource'], 'issue')
  })
})

const wide = (count: number): Message['facts'] =>
  Array.from({ length: count }, (_, at) => [`漢 ${at}`, '漢'.repeat(1_000)] as const)
