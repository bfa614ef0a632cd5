/** Chats that give an address for each channel: whoever knows it writes there. They differ in the form of a message alone. */
import { z } from 'zod'
import type { Message } from '../messages/message.ts'
import { type Channel, deliverByRequest } from './channel.ts'
import { JSON_HEADERS, urlField } from './fields.ts'

const settings = z.object({})
/** The address itself is what lets one write into the channel, so it is the secret. */
const secret = z.object({ url: urlField })

/** `format`: the message as the service reads it, for `JSON.stringify`. */
export const chatWebhook = (
  format: (message: Message) => object,
): Channel<z.output<typeof settings>, z.output<typeof secret>> => ({
  settings,
  secret,
  deliver: (outgoing, _settings, { url }, { message }) =>
    deliverByRequest(outgoing, {
      url,
      method: 'POST',
      headers: JSON_HEADERS,
      body: JSON.stringify(format(message)),
    }),
})
