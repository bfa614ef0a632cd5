/** Hands a user report of the API to ingest over HTTP, as an SDK would: its limits and its log hold for it too. */
import type { SubmitReport } from '@sonde/api'
import type { Logger } from '@sonde/base'

type Parts = {
  readonly logger: Logger
  /** The front's own address on this machine, without a trailing slash. */
  readonly frontUrl: string
}

// The front answers within milliseconds; a program waits for this.
const ANSWER_WITHIN_MS = 10_000
const PASSED_ON = [400, 401, 403, 413, 429] as const

export function createSubmitReport({ logger, frontUrl }: Parts): SubmitReport {
  return async ({ projectId, publicKey }, report) => {
    try {
      const answer = await fetch(`${frontUrl}/api/${projectId}/user-feedback/`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-sentry-auth': `Sentry sentry_version=7, sentry_client=sonde.api/1, sentry_key=${publicKey}`,
        },
        body: JSON.stringify(report),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      })
      if (answer.ok) return { ok: true }
      const { detail } = (await answer.json().catch(() => ({}))) as { detail?: unknown }
      const status = PASSED_ON.find((known) => known === answer.status) ?? 503
      return { ok: false, status, message: typeof detail === 'string' ? detail : 'It was refused.' }
    } catch (error) {
      logger.warn({ err: error, frontUrl }, 'the ingest endpoint did not answer a user report')
      return { ok: false, status: 503, message: 'The ingest endpoint does not answer.' }
    }
  }
}
