/**
 * How often somebody may call `/api/0`, and how many of their requests may be answered at once. Both bounds are of who calls
 * (a token, or a signed-in person), over all routes. State is of one process: N of them let N times as much through.
 * Headers and texts as in https://docs.sentry.io/api/ratelimits/
 */
import type { Viewer } from '@sonde/access'
import type { Clock } from '@sonde/base'
import type { MiddlewareHandler } from 'hono'
import type { ApiEnv, ApiLimits } from './api-context.ts'

// A browser asks for the pieces of a replay as fast as it plays them, and for all pictures of an issue at once.
const SESSION_TIMES = 10
// A caller costs some 150 bytes. Beyond it the one that called least lately begins anew.
const MAX_CALLERS = 10_000

type Caller = { second: number; taken: number; running: number }

export function rateLimit(limits: ApiLimits, clock: Clock): MiddlewareHandler<ApiEnv> {
  const callers = new Map<string, Caller>()

  const callerOf = (viewer: Viewer): Caller => {
    const id = viewer.kind === 'token' ? `token:${viewer.tokenId}` : `user:${idOf(viewer)}`
    const caller = callers.get(id) ?? { second: 0, taken: 0, running: 0 }
    callers.delete(id) // so that `set` moves it to the end: Map order is eviction order
    callers.set(id, caller)
    const oldest = callers.keys().next()
    if (callers.size > MAX_CALLERS && !oldest.done) callers.delete(oldest.value)
    return caller
  }

  return async (c, next) => {
    const viewer = c.get('viewer')
    const times = viewer.kind === 'token' ? 1 : SESSION_TIMES
    const perSecond = limits.perSecond * times
    const concurrent = limits.concurrent * times
    const caller = callerOf(viewer)
    const second = Math.floor(clock.nowMs() / 1000)
    if (caller.second !== second) Object.assign(caller, { second, taken: 0 })
    const headers: Record<string, string> = {}
    const say = (name: string, value: number): void => {
      headers[`x-sentry-rate-limit-${name}`] = String(value)
    }
    const isOver = perSecond > 0 && caller.taken >= perSecond
    const isFull = concurrent > 0 && caller.running >= concurrent
    if (!isOver && !isFull) {
      caller.taken += 1
      caller.running += 1
    }
    if (perSecond > 0) {
      say('limit', perSecond)
      say('remaining', perSecond - caller.taken)
      say('reset', second + 1)
    }
    if (concurrent > 0) {
      say('concurrentlimit', concurrent)
      say('concurrentremaining', concurrent - caller.running)
    }
    if (isOver || isFull) {
      const detail = isOver
        ? `You are attempting to use this endpoint too frequently. Limit is ${perSecond} requests in 1 seconds`
        : `You are attempting to go above the allowed concurrency for this endpoint. Concurrency limit is ${concurrent}`
      return c.json({ detail }, 429, { ...headers, 'retry-after': '1' })
    }
    try {
      await next()
    } finally {
      caller.running -= 1
    }
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    return undefined
  }
}

const idOf = (viewer: Exclude<Viewer, { readonly kind: 'token' }>): string =>
  viewer.kind === 'user' ? viewer.userId : viewer.name
