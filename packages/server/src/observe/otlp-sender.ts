/** Sends to an OTLP receiver over HTTP, one request at a time, again when that may help, and never for longer than it may. */
import { setTimeout as sleep } from 'node:timers/promises'

export type OtlpTarget = {
  /** Without `/v1/traces`. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export type SendResult = 'sent' | 'given up'

export type SenderOptions = {
  readonly target: OtlpTarget
  readonly userAgent: string
  /** Once for each row of failures, and when it works again. */
  readonly onTrouble: (why: string | undefined) => void
  readonly timing?: Partial<typeof TIMING>
}

/** A collector that restarts is back within these tries; longer would only keep what is newer from being sent. */
const TIMING = { tries: 4, firstPauseMs: 1_000, longestPauseMs: 15_000, answerWithinMs: 10_000 }

/** https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504])

export function createOtlpSender({ target, userAgent, onTrouble, timing: given }: SenderOptions) {
  const timing = { ...TIMING, ...given }
  let hasTrouble = false
  const report = (why: string | undefined): void => {
    if (hasTrouble === (why !== undefined)) return
    hasTrouble = why !== undefined
    onTrouble(why)
  }

  /** Undefined: it was taken. Throws when there was no answer. */
  const attempt = async (path: string, body: string, signal: AbortSignal): Promise<Refusal | undefined> => {
    const answer = await fetch(`${target.url}${path}`, {
      method: 'POST',
      headers: { ...target.headers, 'content-type': 'application/json', 'user-agent': userAgent },
      body,
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timing.answerWithinMs)]),
    })
    await answer.body?.cancel()
    if (answer.ok) return undefined
    const afterMs = Number(answer.headers.get('retry-after')) * 1_000
    return { why: `it answered ${answer.status}`, mayPass: RETRYABLE.has(answer.status), afterMs }
  }

  return async function send(path: string, body: string, signal: AbortSignal): Promise<SendResult> {
    let pauseMs = timing.firstPauseMs
    for (let tries = 1; !signal.aborted; tries++) {
      const refusal = await attempt(path, body, signal).catch((error: unknown): Refusal => ({
        why: reasonOf(error),
        mayPass: true,
        afterMs: 0,
      }))
      report(refusal?.why)
      if (!refusal) return 'sent'
      if (!refusal.mayPass || tries >= timing.tries) return 'given up'
      const waitMs = Math.min(timing.longestPauseMs, Math.max(pauseMs, refusal.afterMs || 0))
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined)
      pauseMs *= 2
    }
    return 'given up'
  }
}

type Refusal = { readonly why: string; readonly mayPass: boolean; readonly afterMs: number }

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? cause.message : String(cause)
}
