/** Mattermost by an incoming webhook. https://developers.mattermost.com/integrate/reference/message-attachments/ */
import type { Message } from '../messages/message.ts'
import { chatWebhook } from './chat-webhook.ts'
import { fitting, oneLine, shownFacts } from './fields.ts'

export const MATTERMOST = chatWebhook(mattermostMessage)

const TEXT_CHARS = 7_000
const FACTS = { max: 12, nameChars: 100, valueChars: 300 }

export function mattermostMessage({
  kind,
  headline,
  title,
  place,
  facts,
  url,
  parts = [],
  count = 0,
}: Message) {
  const more = count - parts.length
  const lines = [
    ...(place === '' ? [] : [`\`${unmentioned(oneLine(place, 300)).replaceAll('`', "'")}\``]),
    ...parts.map((part) => `- [${escaped(part.title, 200)}](${part.url})`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ]
  return {
    username: 'Sonde',
    attachments: [
      {
        fallback: unmentioned(oneLine(`${headline}: ${title}`, 500)),
        color: kind === 'resolved' ? '#188038' : '#d93025',
        pretext: escaped(headline, 200),
        title: escaped(title, 300),
        title_link: url,
        text: fitting(lines, TEXT_CHARS),
        fields: shownFacts(facts, FACTS).map(([name, value]) => ({
          title: name,
          value: escaped(value, 300),
          short: true,
        })),
      },
    ],
  }
}

/** Nobody is called by what a program wrote. */
const unmentioned = (text: string): string => text.replaceAll('@', '@\u200b')
/** Markdown. */
const escaped = (text: string, chars: number): string =>
  unmentioned(oneLine(text, chars).replaceAll(/[\\*_~`|<>[\]()#-]/g, String.raw`\$&`))
