/** Errors as the public API says them: `{detail}`, or `{field: ["…"]}` for input. Stacks stay in our log. */
import { randomBytes } from 'node:crypto'
import { type ErrorKind, SondeError, UnavailableError } from '@sonde/base'
import { InvalidInput } from '@sonde/commands'
import { SearchError } from '@sonde/queries'
import type { ApiContext, ApiOptions } from './api-context.ts'

const STATUS: Readonly<Record<ErrorKind, 400 | 403 | 404 | 409 | 500 | 503>> = {
  config: 500,
  unavailable: 503,
  invalid: 400,
  'not-found': 404,
  conflict: 409,
  forbidden: 403,
  internal: 500,
}

export function answerError({ logger }: Pick<ApiOptions, 'logger'>) {
  return (error: Error, c: ApiContext): Response => {
    if (error instanceof InvalidInput) return c.json(error.fields, 400)
    if (error instanceof SearchError) {
      const hint = error.hint === undefined ? '' : ` ${error.hint}`
      return c.json({ detail: `${error.message}.${hint}`, position: error.at }, 400)
    }
    const kind = error instanceof SondeError ? error.kind : 'internal'
    // One text for what is missing and what is hidden.
    if (kind === 'not-found') return c.json({ detail: 'The requested resource does not exist' }, 404)
    if (STATUS[kind] < 500) return c.json({ detail: error.message }, STATUS[kind])
    // Who asked is gone, often in the middle of a body: no failure of ours, and nobody reads the answer.
    if (c.req.raw.signal.aborted) return c.body(null, 400)
    const id = randomBytes(6).toString('hex')
    logger.error({ err: error, id, path: c.req.path }, 'an API request failed')
    if (error instanceof UnavailableError) c.header('retry-after', String(error.retryAfterSec))
    const detail = kind === 'unavailable' ? 'Not available for now, try again' : 'Internal error'
    return c.json({ detail, errorId: id }, STATUS[kind])
  }
}
