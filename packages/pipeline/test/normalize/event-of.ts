import type { NormalizedEvent } from '@sonde/protocol/event'
import { normalizeEvent, type NormalizeContext } from '../../src/normalize/index.ts'

export const RECEIVED_MS = Date.UTC(2026, 10, 20, 12)
export const RECEIVED_SEC = RECEIVED_MS / 1000

/** Normalises as the pipeline does for an item that arrived on 20 November 2026 at noon. */
export function eventOf(raw: unknown, context: Partial<NormalizeContext> = {}) {
  return normalizeEvent(raw, {
    eventId: '9ec79c33ec9942ab8353589fcb2e04dc',
    receivedMs: RECEIVED_MS,
    itemType: 'event',
    retentionDays: 90,
    ...context,
  })
}

export function framesOf(raw: readonly object[], platform: string) {
  const event = eventOf({ platform, exception: [{ type: 'E', stacktrace: { frames: raw } }] })
  return event.exception?.[0]?.stacktrace?.frames ?? []
}

export function remarkOf(event: NormalizedEvent, path: string) {
  const { _meta: remarks } = event
  return remarks?.[path]
}
