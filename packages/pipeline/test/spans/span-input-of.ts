/** A span item as the digesting thread gets it, for tests: only what they change has to be told. */
import type { ItemHeader } from '@sonde/protocol/envelope'
import { DEFAULT_PROCESSING_SETTINGS, type ProcessingSettings } from '../../src/process/settings-history.ts'
import type { ItemInput } from '../../src/stages/event-input.ts'

export const RECEIVED_MS = Date.UTC(2026, 10, 18, 12)
export const RECEIVED = RECEIVED_MS / 1000

export type Given = {
  readonly header?: ItemHeader
  readonly payload: unknown
  readonly settings?: Partial<ProcessingSettings>
  readonly sentAtMs?: number
  readonly userAgent?: string
  readonly trace?: { readonly [key: string]: unknown }
}

export function spanInput({
  header = { type: 'transaction' },
  payload,
  settings,
  ...context
}: Given): ItemInput {
  const { sentAtMs, userAgent, trace } = context
  return {
    payload: Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)),
    header,
    position: 100,
    itemIndex: 1,
    projectId: 7,
    keyId: 9,
    eventId: undefined,
    receivedMs: RECEIVED_MS,
    context: {
      receivedMs: RECEIVED_MS,
      sentAtMs,
      clientIp: '203.0.113.9',
      userAgent,
      itemType: header.type,
      sdkClient: 'sentry.javascript.browser/11.12.0',
      trace,
    },
    envelope: { trace, userAgent, sdkClient: 'sentry.javascript.browser/11.12.0' },
    settings: { ...DEFAULT_PROCESSING_SETTINGS, ...settings },
  }
}
