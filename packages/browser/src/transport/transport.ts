/**
 * Sends envelopes: few at once, at most 64 waiting (R7); what cannot be sent is kept for later or counted.
 * https://develop.sentry.dev/sdk/data-model/envelopes/
 */
import type { Dsn, Item, Options, Transport } from '../types.ts'
import { SDK_NAME, SDK_VERSION } from '../version.ts'

// R7. Counts what waits and what is under way.
const MAX_BUFFERED = 64
// A browser opens 6 connections to an HTTP/1.1 host, and the page needs them more than we do.
const MAX_UNDER_WAY = 3
// Nobody reads more from one page; one that throws all the time must not cost its visitors' line or the quota.
const MAX_PER_WINDOW = 100
const WINDOW_MS = 10_000
// Browsers refuse `keepalive` beyond 64 kB in flight over all of a page's requests; the rest is for headers. There may
// be 15 such requests, of which we have 3. https://fetch.spec.whatwg.org/#http-network-or-cache-fetch
const MAX_KEEPALIVE_BYTES = 60_000

/** An envelope as text, and what is lost when it is. */
export type Parcel = { readonly body: string; readonly lost: readonly Lost[] }

export function createTransport(dsn: Dsn, options: Options): Transport {
  const endpoints = endpointsOf(dsn, options)
  const limits = createRateLimits()
  const losses = createLosses()
  // Taken now: what the page puts over it later may report its own failures, through us.
  const request = fetch.bind(window)
  const waiting: Parcel[] = []
  const idle: ((isIdle: boolean) => void)[] = []
  let endpoint = 0
  let underWay = 0
  let bytesUnderWay = 0
  let sentInWindow = 0

  const lose = (reason: string, lost: readonly Lost[]): void =>
    lost.forEach(({ category, quantity, reason: own }) => losses.add(own ?? reason, category, quantity))

  /** With a report of what was lost before; nothing when there is neither. */
  function enqueue(
    items: readonly Item[],
    lost: Lost[],
    trace?: Record<string, string>,
    eventId?: string,
  ): void {
    const report = losses.take()
    const parts: unknown[] = [
      {
        sent_at: new Date().toISOString(),
        event_id: eventId,
        dsn: options.dsn,
        sdk: { name: SDK_NAME, version: SDK_VERSION },
        trace,
      },
      ...items.flat(),
    ]
    lost.push(...report)
    if (report.length) parts.push({ type: 'client_report' }, { discarded_events: report })
    if (lost.length) waiting.push({ body: parts.map((part) => JSON.stringify(part)).join('\n'), lost })
  }

  /** The next that no rate limit holds back; its first item decides. Reports of losses are never held. */
  function next(): Parcel | undefined {
    const parcel = waiting.shift()
    if (!parcel || !isHeld(parcel)) return parcel
    lose('ratelimit_backoff', parcel.lost)
    return next()
  }

  const isHeld = ({ lost: [first] }: Parcel): boolean => !first!.reason && limits.holds(first!.category)

  function work(): void {
    const parcel = underWay < MAX_UNDER_WAY && next()
    if (parcel) {
      void deliver(parcel)
      work()
    } else if (!underWay) idle.splice(0).forEach((done) => done(true))
  }

  async function deliver(parcel: Parcel): Promise<void> {
    if (await transport.post(parcel)) transport.store?.drain()
    else keep(parcel)
    work()
  }

  function keep(parcel: Parcel): void {
    if (!transport.store?.add(parcel)) lose('network_error', parcel.lost)
  }

  const transport: Transport = {
    isHeld,
    lose,
    drop: losses.add,
    owns: (url) => endpoints.some((one) => url.includes(one)),
    send(items, trace, eventId) {
      const lost = items.flatMap(lostWith)
      if (waiting.length + underWay >= MAX_BUFFERED) lose('queue_overflow', lost)
      else if (sentInWindow >= MAX_PER_WINDOW) lose('backpressure', lost)
      else
        try {
          if (!sentInWindow++) setTimeout(() => (sentInWindow = 0), WINDOW_MS)
          enqueue(items, lost, trace, eventId)
        } catch {
          // A cycle or a BigInt, left behind by `beforeSend`.
          lose('internal_sdk_error', lost)
        }
      work()
    },
    async post(parcel) {
      const { body, lost } = parcel
      const first = endpoint
      // Not by a `Blob`: that costs a call to another process of the browser, ten times as long.
      const bytes = new TextEncoder().encode(body).length
      underWay++
      bytesUnderWay += bytes
      try {
        const answer = await request(endpoints[first]!, {
          method: 'POST',
          body,
          referrerPolicy: 'strict-origin',
          priority: 'low',
          keepalive: bytesUnderWay <= MAX_KEEPALIVE_BYTES,
        })
        limits.read(answer)
        // What a 429 refuses, the server has counted.
        if (!answer.ok) lose('send_error', answer.status === 429 ? lost.filter(({ reason }) => reason) : lost)
        return true
      } catch {
        // Blocked, or no network. With a tunnel behind it, the first endpoint gets no second chance.
        return !!endpoints[first + 1] && ((endpoint = first + 1), transport.post(parcel))
      } finally {
        underWay--
        bytesUnderWay -= bytes
      }
    },
    leave() {
      enqueue([], [])
      let parcel
      while ((parcel = next()))
        // The last one is the tunnel, which nobody blocks.
        if (!navigator.sendBeacon?.(endpoints.slice(-1)[0]!, parcel.body)) keep(parcel)
    },
    flush(timeoutMs) {
      enqueue([], [])
      return new Promise((resolve) => {
        idle.push(resolve)
        if (timeoutMs) setTimeout(resolve, timeoutMs, false)
        work()
      })
    },
  }
  return transport
}

/**
 * Where envelopes go: the site's own `/monitoring` (R1) with `o`, `p`, `r` (R2), or the ingest endpoint (R3). In the order they are tried. Authentication is in the query: a header of ours would cost
 * a preflight.
 */
export function endpointsOf(
  { origin, publicKey, projectId, orgId, region }: Dsn,
  options: Options,
): string[] {
  const { tunnel, preferDirect, org = orgId } = options
  const direct = `${origin}/api/${projectId}/envelope/?sentry_version=7&sentry_key=${publicKey}&sentry_client=${SDK_NAME}%2F${SDK_VERSION}`
  if (!tunnel) return [direct]
  const own = `${tunnel}?p=${projectId}${org ? '&o=' + org : ''}${region ? '&r=' + region : ''}`
  return preferDirect ? [direct, own] : [own]
}

/** An entry of a client report that is lost with its envelope keeps its own `reason`. */
type Lost = { readonly category: string; readonly quantity: number; readonly reason?: string }

/** What was not sent, for the client report: https://develop.sentry.dev/sdk/telemetry/client-reports/ */
type Losses = {
  add(reason: string, category: string, quantity?: number): void
  /** Everything counted since the last call. */
  take(): Lost[]
}

function createLosses(): Losses {
  let entries: Record<string, Lost> = {}
  return {
    add(reason, category, quantity = 1) {
      const key = reason + category
      entries[key] = { reason, category, quantity: (entries[key]?.quantity ?? 0) + quantity }
    },
    take() {
      const taken = Object.values(entries)
      entries = {}
      return taken
    },
  }
}

/** A transaction that is lost takes its spans with it, itself counted as one of them. */
function lostWith([{ type }, payload]: Item): Lost[] {
  const category = type === 'event' ? 'error' : type
  const { spans, items } = payload as { spans?: unknown[]; items?: unknown[] }
  const lost = [{ category, quantity: items ? items.length : 1 }]
  if (spans) lost.push({ category: 'span', quantity: spans.length + 1 })
  return lost
}

/** What the server asks to hold back: https://develop.sentry.dev/sdk/expected-features/rate-limiting/ */

// R4: a limit that names no time, or none that can be read.
const DEFAULT_WAIT_MS = 60_000

type RateLimits = {
  /** A 413 is about one body, not about the rate, and changes nothing. */
  read(answer: Response): void
  holds(category: string): boolean
}

function createRateLimits(): RateLimits {
  // Category → milliseconds since 1970; '' is all of them.
  const until: Record<string, number> = {}
  const limit = (category: string, time: string): void => {
    const seconds = parseFloat(time)
    // Seconds, also with decimals, or an HTTP date.
    const waitMs = seconds >= 0 ? seconds * 1000 : Date.parse(time) - Date.now()
    until[category] = Date.now() + (waitMs || DEFAULT_WAIT_MS)
  }
  return {
    read({ status, headers }) {
      const retryAfter = headers.get('Retry-After') ?? ''
      const limits = headers.get('X-Sentry-Rate-Limits')
      if (status === 413) return
      if (limits) {
        for (const entry of limits.split(',')) {
          const [seconds, categories = ''] = entry.split(':')
          for (const category of categories.split(';')) limit(category.trim(), seconds!)
        }
      } else if (retryAfter || status === 429) limit('', retryAfter)
    },
    holds: (category) => [category, ''].some((key) => until[key]! > Date.now()),
  }
}
