/** Sends a sample event the way an SDK does: over HTTP to the public port, with a key of the project. */
import { randomBytes } from 'node:crypto'
import type { Clock, Logger } from '@sonde/base'
import { buildTestEvent, type SendTestEvent } from '@sonde/commands'
import type { Records } from '@sonde/stores'

export type TestEventParts = {
  readonly records: Records
  readonly clock: Clock
  readonly logger: Logger
  /** The front's own address on this machine, without a trailing slash. */
  readonly frontUrl: string
}

// The front answers within milliseconds; a person waits for this.
const ANSWER_WITHIN_MS = 10_000

export function createSendTestEvent({ records, clock, logger, frontUrl }: TestEventParts): SendTestEvent {
  return async ({ projectId }) => {
    const project = await records
      .selectFrom('project')
      .select('platform')
      .where('id', '=', projectId)
      .executeTakeFirst()
    const keys = await records
      .selectFrom('project_key')
      .select(['public_key', 'active_until_ms'])
      .where('project_id', '=', projectId)
      .where('is_active', '=', 1)
      .orderBy('id')
      .execute()
    const key = keys.find(({ active_until_ms: untilMs }) => untilMs === null || untilMs > clock.nowMs())
    if (!project || !key) {
      return { ok: false, message: 'Every key of this project is disabled. Enable one or make a new one.' }
    }
    const eventId = randomBytes(16).toString('hex')
    try {
      const response = await fetch(`${frontUrl}/api/${projectId}/envelope/`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-sentry-envelope',
          'x-sentry-auth': `Sentry sentry_version=7, sentry_client=sonde.sample/1, sentry_key=${key.public_key}`,
        },
        body: buildTestEvent(project.platform, { eventId, atMs: clock.nowMs() }),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      })
      if (response.ok) return { ok: true, eventId }
      const message = await refusal(response)
      logger.warn({ projectId, status: response.status, message }, 'the ingest endpoint refused a test event')
      return { ok: false, message }
    } catch (error) {
      logger.warn({ err: error, frontUrl }, 'the ingest endpoint did not answer a test event')
      return {
        ok: false,
        message: `Sonde's ingest endpoint at ${frontUrl} did not answer. Run \`sonde doctor\`.`,
      }
    }
  }
}

async function refusal(response: Response): Promise<string> {
  if (response.status === 429) {
    const seconds = response.headers.get('retry-after') ?? '60'
    return `The rate limit of this key or project is used up. Try again in ${seconds} seconds.`
  }
  const body = (await response.json().catch(() => ({}))) as { detail?: unknown }
  const detail = typeof body.detail === 'string' ? body.detail : 'no reason was given'
  return `The ingest endpoint refused it (${response.status}): ${detail}`
}

/** A back on this machine reaches the front by the loopback address when the front listens on every one. */
export function frontUrlOf({ host, port }: { readonly host: string; readonly port: number }): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
