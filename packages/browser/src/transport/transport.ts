/**
 * Sends envelopes: few at once, at most 64 waiting (R7); what cannot be sent now is kept for later or counted.
 * https://develop.sentry.dev/sdk/data-model/envelopes/
 */
import { normalize } from '../normalize.ts'
import type { Client, Dsn, Item, Options } from '../types.ts'
import { SDK_NAME, SDK_VERSION } from '../version.ts'
import { endpointsOf } from './endpoints.ts'
import { categoryOf, createLosses, type Loss, lossesOf } from './losses.ts'
import { createOfflineQueue } from './offline-queue.ts'
import { createRateLimits } from './rate-limits.ts'

// R7. Counts what waits and what is under way.
const MAX_BUFFERED = 64
// A browser opens 6 connections to an HTTP/1.1 host, and the page needs them more than we do.
const MAX_UNDER_WAY = 3
// Nobody reads more from one page; one that throws all the time must not cost its visitors' line or the quota.
const MAX_PER_WINDOW = 100
const WINDOW_MS = 10_000
// Browsers refuse `keepalive` beyond 64 kB in flight over all of a page's requests; the rest is for headers.
// https://fetch.spec.whatwg.org/#http-network-or-cache-fetch
const MAX_KEEPALIVE_BYTES = 60_000
const MAX_KEEPALIVE_REQUESTS = 15

/** An envelope as text, and what is lost when it is. */
export type Parcel = {
  readonly body: string
  readonly lost: readonly (readonly [category: string, quantity: number])[]
  /** The client report that it carries: counted again when the parcel is lost. */
  readonly report?: readonly Loss[] | undefined
}

export type Transport = Pick<Client, 'send' | 'drop' | 'owns' | 'flush'> & {
  /** Sends what waits at once: the page may not live to see an answer. */
  leave(): void
}

export function createTransport(dsn: Dsn, options: Options): Transport {
  const endpoints = endpointsOf(dsn, options)
  const own = endpoints.map((url) => new URL(url, location.href).href)
  const limits = createRateLimits()
  const losses = createLosses()
  // Taken now: what the page puts over it later may report its own failures, through us.
  const request = fetch.bind(window)
  const waiting: Parcel[] = []
  const idle: (() => void)[] = []
  let underWay = 0
  let bytesUnderWay = 0
  let windowStartMs = 0
  let sentInWindow = 0

  const lose = (reason: string, { lost, report = [] }: Parcel): void => {
    for (const [category, quantity] of lost) losses.add(reason, category, quantity)
    for (const loss of report) losses.add(loss.reason, loss.category, loss.quantity)
  }
  const isHeld = ({ lost }: Parcel): boolean => lost.some(([category]) => limits.holds(category))
  const offline = createOfflineQueue(dsn, post, isHeld, lose)

  function refusal(): string | undefined {
    const nowMs = Date.now()
    if (nowMs - windowStartMs > WINDOW_MS) {
      windowStartMs = nowMs
      sentInWindow = 0
    }
    if (waiting.length + underWay >= MAX_BUFFERED) return 'queue_overflow'
    return sentInWindow >= MAX_PER_WINDOW ? 'backpressure' : undefined
  }

  function send(items: readonly Item[], trace?: Record<string, string>, eventId?: string): void {
    const free = items.filter((item) => {
      const held = limits.holds(categoryOf(item[0].type))
      if (held) lose('ratelimit_backoff', { body: '', lost: lossesOf(item) })
      return !held
    })
    if (!free.length) return
    const reason = refusal()
    if (reason) return lose(reason, { body: '', lost: free.flatMap(lossesOf) })
    enqueue(free, trace, eventId)
    work()
  }

  function enqueue(items: readonly Item[], trace?: Record<string, string>, eventId?: string): void {
    const report = losses.take()
    const header = {
      sent_at: new Date().toISOString(),
      event_id: eventId,
      dsn: options.dsn,
      sdk: { name: SDK_NAME, version: SDK_VERSION },
      trace,
    }
    const parts: unknown[] = [header, ...items.flat()]
    if (report)
      parts.push({ type: 'client_report' }, { timestamp: Date.now() / 1000, discarded_events: report })
    sentInWindow++
    waiting.push({ body: parts.map(write).join('\n'), lost: items.flatMap(lossesOf), report })
  }

  function work(): void {
    while (waiting.length && underWay < MAX_UNDER_WAY) void deliver(waiting.shift()!)
    if (!waiting.length && !underWay) for (const done of idle.splice(0)) done()
  }

  async function deliver(parcel: Parcel): Promise<void> {
    if (isHeld(parcel)) lose('ratelimit_backoff', parcel)
    else if (await post(parcel)) void offline.drain()
    else offline.add(parcel)
    work()
  }

  /** False when no server was reached. Anything that a server answers settles the matter. */
  async function post(parcel: Parcel): Promise<boolean> {
    const { body } = parcel
    const bytes = new TextEncoder().encode(body).length
    underWay++
    bytesUnderWay += bytes
    try {
      while (endpoints.length) {
        try {
          const answer = await request(endpoints[0]!, {
            method: 'POST',
            body,
            referrerPolicy: 'strict-origin',
            priority: 'low',
            keepalive: bytesUnderWay <= MAX_KEEPALIVE_BYTES && underWay < MAX_KEEPALIVE_REQUESTS,
          })
          limits.read(answer)
          // A server that limits us has counted it already.
          if (answer.status === 429) lose('', { ...parcel, lost: [] })
          else if (!answer.ok) lose('send_error', parcel)
          return true
        } catch (error) {
          // Blocked, or no network. With a tunnel behind it, the first endpoint gets no second chance.
          if (endpoints.length < 2) return false
          endpoints.shift()
        }
      }
      return false
    } finally {
      underWay--
      bytesUnderWay -= bytes
    }
  }

  return {
    send,
    drop: losses.add,
    owns: (url) => own.some((endpoint) => url.startsWith(endpoint)),
    leave() {
      enqueueReport()
      for (const parcel of waiting.splice(0)) {
        // The last one is the tunnel, which nobody blocks.
        if (isHeld(parcel)) lose('ratelimit_backoff', parcel)
        else if (!navigator.sendBeacon?.(endpoints[endpoints.length - 1]!, parcel.body)) offline.add(parcel)
      }
    },
    flush(timeoutMs) {
      enqueueReport()
      return new Promise((resolve) => {
        idle.push(() => resolve(true))
        if (timeoutMs !== undefined) setTimeout(resolve, timeoutMs, false)
        work()
      })
    },
  }

  function enqueueReport(): void {
    enqueue([])
    if (!waiting[waiting.length - 1]!.report) waiting.pop()
  }
}

/** What a `beforeSend` leaves behind may hold anything. */
function write(part: unknown): string {
  try {
    return JSON.stringify(part)
  } catch {
    return JSON.stringify(normalize(part, 9))
  }
}
