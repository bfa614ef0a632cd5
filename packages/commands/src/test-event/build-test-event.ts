/** A sample event as an SDK of the platform would send it, to be posted to the real ingest endpoint. */
import type { Grant } from '@sonde/access'
import { sampleStack } from './sample-stacks.ts'

export type TestEventOptions = {
  /** 32 lower hex. */
  readonly eventId: string
  readonly atMs: number
  readonly release?: string
  readonly environment?: string
}

/** The tag that marks it: `sample:yes` finds every one of them. */
const SAMPLE_TAG = ['sample', 'yes'] as const

/** The body of a `POST /api/{project}/envelope/`. Pure. */
export function buildTestEvent(platform: string, options: TestEventOptions): string {
  const { eventId, atMs, release, environment } = options
  const { type, value, mechanism, runtime, frames, ...sample } = sampleStack(platform)
  const isBrowser = sample.platform === 'javascript'
  const at = atMs / 1000
  const event = {
    event_id: eventId,
    timestamp: at,
    platform: sample.platform,
    level: 'error',
    ...(release !== undefined && { release }),
    ...(environment !== undefined && { environment }),
    transaction: '/checkout',
    tags: Object.fromEntries([SAMPLE_TAG]),
    user: { id: 'sample-user', email: 'sample@shop.example' },
    exception: {
      values: [{ type, value, mechanism: { type: mechanism, handled: false }, stacktrace: { frames } }],
    },
    request: {
      url: isBrowser ? 'https://shop.example/checkout' : 'https://shop.example/api/orders',
      ...(isBrowser ? {} : { method: 'POST' }),
      headers: {
        'User-Agent':
          'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      },
    },
    ...(runtime && { contexts: { runtime } }),
    breadcrumbs: {
      values: [
        { timestamp: at - 9, category: 'navigation', data: { from: '/cart', to: '/checkout' } },
        {
          timestamp: at - 4,
          type: 'http',
          category: isBrowser ? 'fetch' : 'http',
          data: { method: 'GET', url: '/api/cart', status_code: 200 },
        },
        { timestamp: at - 1, category: 'ui.click', message: 'button#pay' },
      ],
    },
    sdk: { name: 'sonde.sample', version: '1' },
  }
  const header = { event_id: eventId, sent_at: new Date(atMs).toISOString() }
  return `${JSON.stringify(header)}\n{"type":"event"}\n${JSON.stringify(event)}\n`
}

// Sends a sample event to Sonde's own ingest endpoint, so that "does it work?" is answered by what really happened.

/**
 * Resolves when the endpoint has answered: with `ok` the event is durable, and visible within about a second. Never
 * throws. Who may only look makes nothing.
 */
export type SendTestEvent = (grant: Grant<'event:write', 'project'>) => Promise<SentTestEvent>

export type SentTestEvent =
  | { readonly ok: true; readonly eventId: string }
  /** `message` is for people: the endpoint's own words, or what to do. */
  | { readonly ok: false; readonly message: string }
