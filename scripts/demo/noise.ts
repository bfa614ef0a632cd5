/** What the shop's visitors send that the shop did not cause: extensions, in-app browsers, bots and more, over the last days. */
import { randomUUID } from 'node:crypto'
import { personOf } from './people.ts'
import { sendItems } from './send-items.ts'
import { DEMO_OWNER, type DemoSonde } from './sonde.ts'
import { signedIn } from './team.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'
const INSTAGRAM =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22A3354 Instagram 350.0.0.30.91'
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const APP = 'https://shop.example/assets/app-4f2c.js'

type Kind = {
  readonly times: number
  readonly type: string
  readonly value: string
  readonly file?: string
  readonly agent?: string
  readonly more?: object
}

/** Harmless, and so often that the owner has it thinned: of an issue and day 100 are stored, and one in 100 of the others. */
const OFTEN = 620
const AT_ONCE = 8

const KINDS: readonly Kind[] = [
  {
    times: 34,
    type: 'TypeError',
    value: 'Cannot redefine property: ethereum',
    file: 'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn/inpage.js',
  },
  { times: OFTEN, type: 'Error', value: 'ResizeObserver loop completed with undelivered notifications.' },
  {
    times: 21,
    type: 'ReferenceError',
    value: "Can't find variable: _AutofillCallbackHandler",
    agent: INSTAGRAM,
  },
  { times: 13, type: 'TypeError', value: 'Failed to fetch (www.google-analytics.com)' },
  {
    times: 9,
    type: 'TypeError',
    value: 'Failed to fetch',
    more: { contexts: { device: { online: false } } },
  },
  { times: 6, type: 'TypeError', value: 'items is undefined', file: APP, agent: GOOGLEBOT },
  {
    times: 4,
    type: 'NotFoundError',
    value: "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
    file: APP,
    more: { breadcrumbs: [{ category: 'ui.click', message: 'main > p.price > font > font' }] },
  },
  { times: 17, type: 'Error', value: 'Script error.' },
]
const DAYS = 5
const DAY_MS = 86_400_000

export async function sendNoise(dsn: string, sonde: DemoSonde): Promise<number> {
  await thinResizes(sonde)
  const events = KINDS.flatMap((kind) => Array.from({ length: kind.times }, (_, at) => ({ kind, at })))
  let next = 0
  const work = async (): Promise<void> => {
    for (let each = events[next]; each; each = events[next])
      await sendItems(dsn, [[{ type: 'event' }, eventOf(each.kind, each.at, next++)]])
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const discarded = [{ reason: 'before_send', category: 'error', quantity: 41 }]
  await sendItems(dsn, [
    [{ type: 'client_report' }, { timestamp: Date.now() / 1000, discarded_events: discarded }],
  ])
  return events.length
}

function eventOf(
  { times, type, value, file, agent = CHROME, more }: Kind,
  at: number,
  person: number,
): object {
  const { name, email } = personOf(person)
  const stack = file === undefined ? {} : { stacktrace: { frames: [{ abs_path: file, function: '?' }] } }
  return {
    event_id: randomUUID().replaceAll('-', ''),
    timestamp: (Date.now() - ((at + 0.5) / times) * DAYS * DAY_MS) / 1000,
    platform: 'javascript',
    release: 'shop@1.5.0',
    environment: 'production',
    user: { email, username: name },
    exception: { values: [{ type, value, ...stack }] },
    request: { url: 'https://shop.example/products', headers: { 'User-Agent': agent } },
    ...more,
  }
}

/** By the form of the screen. */
async function thinResizes(sonde: DemoSonde): Promise<void> {
  const answer = await fetch(`${sonde.url}/default/shop/noise`, {
    method: 'POST',
    headers: await signedIn(sonde, DEMO_OWNER),
    body: new URLSearchParams({ resize_observer: 'thin', fullPerDay: '10000' }),
    redirect: 'manual',
  })
  await answer.body?.cancel()
  if (answer.status !== 303) throw new Error(`the rules for noise were not taken: ${answer.status}`)
}
