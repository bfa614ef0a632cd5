/**
 * Slack by an incoming webhook: Block Kit, with a plain text for notifications and screen readers.
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 */
import { z } from 'zod'
import type { Message } from '../messages/message.ts'
import { type Channel, deliverByRequest } from './channel.ts'
import { clip, fitting, JSON_HEADERS, oneLine, urlField } from './fields.ts'

// The address itself is what lets one write into the channel, so it is the secret.
const settings = z.object({})
const secret = z.object({ url: urlField })

export const SLACK: Channel<z.output<typeof settings>, z.output<typeof secret>> = {
  settings,
  secret,
  deliver: (outgoing, _settings, { url }, { message }) =>
    deliverByRequest(outgoing, {
      url,
      method: 'POST',
      headers: JSON_HEADERS,
      body: JSON.stringify(slackMessage(message)),
    }),
}

// Of Block Kit: https://docs.slack.dev/reference/block-kit/blocks
const HEADER_CHARS = 150
const SECTION_CHARS = 3_000
const MAX_FIELDS = 10
const FIELD_CHARS = 2_000

function slackMessage({ headline, title, place, facts, url, parts, count = 0 }: Message) {
  const link = `*<${url}|${escaped(title, 300)}>*`
  const body = [link, ...(place === '' ? [] : [`\`${escaped(place, 300).replaceAll('`', "'")}\``])].join('\n')
  const listed = (parts ?? []).map((part) => `• <${part.url}|${escaped(part.title, 200)}>`)
  const more = count - listed.length
  const fields = facts.slice(0, MAX_FIELDS).map(([name, value]) => ({
    type: 'mrkdwn',
    text: clip(`*${escaped(name, 100)}*\n${escaped(value, 500)}`, FIELD_CHARS),
  }))
  return {
    text: clip(`${headline}: ${escaped(title, 300)}`, SECTION_CHARS),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: clip(headline, HEADER_CHARS), emoji: false } },
      {
        type: 'section',
        text: { type: 'mrkdwn', text: clip(body, SECTION_CHARS) },
        ...(fields.length > 0 && { fields }),
      },
      ...(listed.length === 0
        ? []
        : [
            {
              type: 'section',
              text: {
                type: 'mrkdwn',
                text: fitting([...listed, ...(more > 0 ? [`and ${more} more`] : [])], SECTION_CHARS),
              },
            },
          ]),
    ],
  }
}

/** The three characters that mean something in mrkdwn; whoever throws an error writes nobody's channel. */
const escaped = (text: string, chars: number): string =>
  oneLine(text, chars).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
