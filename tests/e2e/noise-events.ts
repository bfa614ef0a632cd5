/** Errors that the application did not cause, as stock browser SDKs send them: one issue of each class. */
import { newEventId, sendEvent, type SentEvent } from './screens-events.ts'

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const INSTAGRAM =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22A3354 Instagram 350.0.0.30.91'
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const PAGE = 'https://shop.example/cart'

type Told = {
  readonly type?: string
  readonly value: string
  readonly file?: string
  readonly agent?: string
  readonly more?: object
}

export const NOISE: Readonly<Record<string, Told>> = {
  extension: { value: 'x is null', file: 'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn/inpage.js' },
  bot: { value: 'y is null', file: 'https://shop.example/app.js', agent: GOOGLEBOT },
  in_app_browser: { value: 'z is null', file: PAGE, agent: INSTAGRAM },
  translated: {
    type: 'NotFoundError',
    value: "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
    file: 'https://shop.example/app.js',
    more: { breadcrumbs: [{ category: 'ui.click', message: 'div#root > p > font > font' }] },
  },
  ad_blocker: { value: 'Failed to fetch (www.google-analytics.com)' },
  offline: { value: 'Failed to fetch', more: { contexts: { device: { online: false } } } },
  stale_build: { type: 'ChunkLoadError', value: 'Loading chunk 12 failed.' },
  resize_observer: { type: 'Error', value: 'ResizeObserver loop limit exceeded' },
  third_party: { type: 'Error', value: 'Script error.' },
}

export function noiseEvent({ type = 'TypeError', value, file, agent = CHROME, more }: Told): SentEvent {
  return {
    event_id: newEventId(),
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    release: 'shop@4.12.0',
    environment: 'production',
    exception: {
      values: [{ type, value, ...(file !== undefined && { stacktrace: { frames: [{ abs_path: file }] } }) }],
    },
    request: { url: PAGE, headers: { 'User-Agent': agent } },
    ...more,
  }
}

/** The id of the last one. */
export async function fillNoise(dsn: string): Promise<string> {
  let last = ''
  for (const told of Object.values(NOISE)) last = await sendEvent(dsn, noiseEvent(told))
  return last
}
