/** What visitors wrote into the shop's feedback form, as the SDK's widget sends it. */
import { randomUUID } from 'node:crypto'
import { personOf } from './people.ts'
import { sendItems } from './send-items.ts'

const WRITTEN = [
  ['The delivery date jumps each time I change the amount, and typing feels slow.', '/cart'],
  ['I paid and then saw an error page. Was I charged twice?', '/checkout'],
  ['Reviews of the coffees do not load for me.', '/products/ethiopia-guji'],
  ['The invoices page has been loading for ten minutes.', '/account/invoices'],
  ['Love the new pictures. Could the crane mug come in green?', '/products/limited-crane-mug'],
  ['WIN a prize https://a.example https://b.example https://c.example https://d.example', '/'],
] as const
const EVERY_MS = 5 * 3_600_000

export async function sendFeedback(dsn: string): Promise<number> {
  for (const [at, [message, path]] of WRITTEN.entries()) {
    const { name, email } = personOf(at * 3)
    const event = {
      event_id: randomUUID().replaceAll('-', ''),
      timestamp: (Date.now() - (at + 0.3) * EVERY_MS) / 1000,
      type: 'feedback',
      platform: 'javascript',
      release: 'shop@1.5.0',
      environment: 'production',
      contexts: {
        feedback: {
          message,
          name,
          contact_email: email,
          url: `https://shop.example${path}`,
          source: 'widget',
        },
      },
    }
    await sendItems(dsn, [[{ type: 'feedback' }, event]])
  }
  return WRITTEN.length
}
