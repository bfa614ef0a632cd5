/**
 * Slack by an incoming webhook: Block Kit, with a plain text for notifications and screen readers.
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 */
import type { Message } from '../messages/message.ts'
import { chatWebhook } from './chat-webhook.ts'
import { fitting, oneLine, shownFacts } from './fields.ts'

export const SLACK = chatWebhook(slackMessage)

// Of Block Kit: https://docs.slack.dev/reference/block-kit/blocks
const HEADER_CHARS = 150
const SECTION_CHARS = 3_000
/** A field has 2,000 characters, of which one that is escaped takes five. */
const FACTS = { max: 10, nameChars: 60, valueChars: 300 }

export function slackMessage({ headline, title, place, facts, url, parts, count = 0 }: Message) {
  const link = `*<${url}|${escaped(title, 300)}>*`
  const body = [link, ...(place === '' ? [] : [`\`${escaped(place, 200).replaceAll('`', "'")}\``])]
  const listed = (parts ?? []).map((part) => `• <${part.url}|${escaped(part.title, 200)}>`)
  const more = count - listed.length
  const fields = shownFacts(facts, FACTS).map(([name, value]) =>
    mrkdwn(`*${escaped(name, 60)}*\n${escaped(value, 300)}`),
  )
  return {
    text: `${escaped(headline, 200)}: ${escaped(title, 300)}`,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      {
        type: 'header' as const,
        text: { type: 'plain_text' as const, text: oneLine(headline, HEADER_CHARS), emoji: false },
      },
      {
        type: 'section' as const,
        text: mrkdwn(fitting(body, SECTION_CHARS)),
        ...(fields.length > 0 && { fields }),
      },
      ...(listed.length === 0
        ? []
        : [
            {
              type: 'section' as const,
              text: mrkdwn(fitting([...listed, ...(more > 0 ? [`and ${more} more`] : [])], SECTION_CHARS)),
            },
          ]),
    ],
  }
}

/** Nothing that stands in it becomes a link or a mention by itself. */
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true }) as const

/** The three characters that mean something in mrkdwn; whoever throws an error writes nobody's channel. */
const escaped = (text: string, chars: number): string =>
  oneLine(text, chars).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
