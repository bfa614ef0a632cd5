/** Telegram by a bot. https://core.telegram.org/bots/api#sendmessage */
import { z } from 'zod'
import type { Message } from '../messages/message.ts'
import { type Channel, deliverByRequest } from './channel.ts'
import { fitting, JSON_HEADERS, keyField, oneLine, shownFacts, urlField } from './fields.ts'

const settings = z.object({
  /** A number, negative for groups, or `@channel`. */
  chatId: z
    .string()
    .trim()
    .regex(/^(?:-?\d{1,20}|@\w{5,32})$/, 'is a number such as -1001234567890, or @channel'),
  /** Of a Bot API server of one's own. */
  apiUrl: urlField.default('https://api.telegram.org'),
})
const secret = z.object({ token: keyField.regex(/^\d+:[\w-]+$/, 'is not the token of a bot: 123456:ABC…') })

export const TELEGRAM: Channel<z.output<typeof settings>, z.output<typeof secret>> = {
  settings,
  secret,
  deliver: (outgoing, { chatId, apiUrl }, { token }, { message }) =>
    deliverByRequest(outgoing, {
      url: `${apiUrl.replace(/\/$/, '')}/bot${token}/sendMessage`,
      method: 'POST',
      headers: JSON_HEADERS,
      body: JSON.stringify(telegramMessage(message, chatId)),
    }),
}

/** Of the text once its tags are gone; with them it is longer, so this is on the safe side. */
const TEXT_CHARS = 4_000
const FACTS = { max: 12, nameChars: 100, valueChars: 300 }

export function telegramMessage(message: Message, chatId: string) {
  return {
    chat_id: chatId,
    text: telegramText(message),
    parse_mode: 'HTML' as const,
    link_preview_options: { is_disabled: true },
  }
}

function telegramText({ headline, title, place, facts, url, parts = [], count = 0 }: Message): string {
  const more = count - parts.length
  return fitting(
    [
      `<b>${escaped(headline, 200)}</b>`,
      `<a href="${attribute(url)}">${escaped(title, 500)}</a>`,
      ...(place === '' ? [] : [`<code>${escaped(place, 300)}</code>`]),
      ...shownFacts(facts, FACTS).map(([name, value]) => `${escaped(name, 100)}: ${escaped(value, 300)}`),
      ...parts.map((part) => `• <a href="${attribute(part.url)}">${escaped(part.title, 150)}</a>`),
      ...(more > 0 ? [`and ${more} more`] : []),
    ],
    TEXT_CHARS,
  )
}

/** `@name` would call somebody of the group. */
const escaped = (text: string, chars: number): string =>
  oneLine(text, chars)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '@\u200b')
const attribute = (url: string): string => url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
