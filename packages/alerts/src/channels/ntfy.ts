/** ntfy, on ntfy.sh or a server of one's own. https://docs.ntfy.sh/publish/#publish-as-json */
import { z } from 'zod'
import type { Message } from '../messages/message.ts'
import { type Channel, deliverByRequest } from './channel.ts'
import { clip, JSON_HEADERS, keyField, oneLine, urlField } from './fields.ts'

const settings = z.object({ serverUrl: urlField.default('https://ntfy.sh') })
const secret = z.object({
  /** Whoever knows the topic reads it. */
  topic: z
    .string()
    .trim()
    .regex(/^[\w-]{1,64}$/, 'has letters, digits, - and _ only'),
  token: keyField.optional(),
})

export const NTFY: Channel<z.output<typeof settings>, z.output<typeof secret>> = {
  settings,
  secret,
  deliver: (outgoing, { serverUrl }, { topic, token }, { message }) =>
    deliverByRequest(outgoing, {
      url: serverUrl,
      method: 'POST',
      headers: { ...JSON_HEADERS, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ topic, ...ntfyMessage(message) }),
    }),
}

const PRIORITIES: Readonly<Record<string, number>> = { fatal: 5, error: 4, warning: 3, info: 2, debug: 1 }
/** The server takes 4,096 bytes; a character has four at most. */
const TEXT_CHARS = 900

export function ntfyMessage({
  kind,
  headline,
  title,
  place,
  level,
  facts,
  url,
  parts = [],
  count = 0,
}: Message) {
  const more = count - parts.length
  const lines = [
    title,
    place,
    ...facts.map(([name, value]) => `${name}: ${value}`),
    ...parts.map((part) => `- ${part.title}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ]
  return {
    title: oneLine(headline, 200),
    message: clip(
      lines
        .filter(Boolean)
        .map((line) => oneLine(line, 200))
        .join('\n'),
      TEXT_CHARS,
    ),
    priority: kind === 'resolved' ? 2 : (PRIORITIES[level] ?? 4),
    tags: [kind === 'resolved' ? 'white_check_mark' : 'rotating_light'],
    click: url,
  }
}
