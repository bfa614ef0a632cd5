/** Discord by a webhook of a channel: an embed. https://discord.com/developers/docs/resources/webhook#execute-webhook */
import type { Message } from '../messages/message.ts'
import { chatWebhook } from './chat-webhook.ts'
import { fitting, oneLine, shownFacts } from './fields.ts'

export const DISCORD = chatWebhook(discordMessage)

// https://discord.com/developers/docs/resources/message#embed-object-embed-limits; 6,000 characters in all.
const TITLE_CHARS = 256
const DESCRIPTION_CHARS = 2_000
const FACTS = { max: 8, nameChars: 100, valueChars: 150 }
const ERROR = 0xd93025
const COLORS: Readonly<Record<string, number>> = {
  fatal: 0xb3261e,
  error: ERROR,
  warning: 0xe8a317,
  info: 0x1a73e8,
  debug: 0x80868b,
}
const RESOLVED = 0x188038

export function discordMessage({
  kind,
  headline,
  title,
  place,
  level,
  facts,
  url,
  atMs,
  parts = [],
  count = 0,
}: Message) {
  const more = count - parts.length
  const lines = [
    ...(place === '' ? [] : [escaped(place, 300)]),
    ...parts.map((part) => `- [${escaped(part.title, 120)}](${part.url})`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ]
  return {
    // Nobody is called by what a program wrote.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        author: { name: oneLine(headline, TITLE_CHARS) },
        title: escaped(title, TITLE_CHARS),
        url,
        ...(lines.length > 0 && { description: fitting(lines, DESCRIPTION_CHARS) }),
        color: kind === 'resolved' ? RESOLVED : (COLORS[level] ?? ERROR),
        fields: shownFacts(facts, FACTS).map(([name, value]) => ({
          name,
          value: escaped(value, 300),
          inline: true,
        })),
        timestamp: new Date(atMs).toISOString(),
      },
    ],
  }
}

/** Discord's Markdown shows what follows a backslash as it is. */
const escaped = (text: string, chars: number): string =>
  oneLine(text, Math.floor(chars / 2)).replaceAll(/[\\*_~`|>[\]()#-]/g, String.raw`\$&`)
