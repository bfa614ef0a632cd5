/** Mattermost by an incoming webhook. https://developers.mattermost.com/integrate/reference/message-attachments/ */
import { z } from 'zod'
import type { Message } from '../messages/message.ts'
import { type Channel, deliverByRequest } from './channel.ts'
import { fitting, JSON_HEADERS, oneLine, urlField } from './fields.ts'

const settings = z.object({})
/** The address itself is what lets one write into the channel. */
const secret = z.object({ url: urlField })

export const MATTERMOST: Channel<z.output<typeof settings>, z.output<typeof secret>> = {
  settings,
  secret,
  deliver: (outgoing, _settings, { url }, { message }) =>
    deliverByRequest(outgoing, {
      url,
      method: 'POST',
      headers: JSON_HEADERS,
      body: JSON.stringify(mattermostMessage(message)),
    }),
}

const TEXT_CHARS = 7_000

function mattermostMessage({ kind, headline, title, place, facts, url, parts = [], count = 0 }: Message) {
  const more = count - parts.length
  const lines = [
    ...(place === '' ? [] : [`\`${oneLine(place, 300).replaceAll('`', "'")}\``]),
    ...parts.map((part) => `- [${escaped(part.title, 200)}](${part.url})`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ]
  return {
    username: 'Sonde',
    attachments: [
      {
        fallback: oneLine(`${headline}: ${title}`, 500),
        color: kind === 'resolved' ? '#188038' : '#d93025',
        pretext: escaped(headline, 200),
        title: escaped(title, 300),
        title_link: url,
        text: fitting(lines, TEXT_CHARS),
        fields: facts.map(([name, value]) => ({
          title: oneLine(name, 100),
          value: escaped(value, 300),
          short: true,
        })),
      },
    ],
  }
}

/** Markdown, and mentions: nobody is called by what a program wrote. */
const escaped = (text: string, chars: number): string =>
  oneLine(text, chars)
    .replaceAll(/[\\*_~`|>[\]()#-]/g, String.raw`\$&`)
    .replaceAll('@', '@\u200b')
