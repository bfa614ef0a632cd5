/** What goes wrong, as SCIM says it: https://www.rfc-editor.org/rfc/rfc7644#section-3.12 */
import { randomBytes } from 'node:crypto'
import { type ErrorKind, SondeError, UnavailableError } from '@sonde/base'
import type { ApiContext, ApiOptions } from '../api-context.ts'

const SCIM_TYPE = 'application/scim+json'
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness'

type Status = 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 429 | 500 | 501 | 503

/** A refusal in the protocol's own words. */
export class ScimError extends Error {
  readonly status: Status
  readonly scimType: ScimType | undefined

  constructor(status: Status, detail: string, scimType?: ScimType) {
    super(detail)
    this.name = 'ScimError'
    this.status = status
    this.scimType = scimType
  }
}

export function scimJson(c: ApiContext, body: object, status: Status | 200 | 201 = 200): Response {
  return c.body(JSON.stringify(body), status, { 'content-type': SCIM_TYPE })
}

export const scimRefusal = (c: ApiContext, status: Status, detail: string, scimType?: ScimType): Response =>
  scimJson(
    c,
    { schemas: [ERROR_SCHEMA], status: String(status), ...(scimType && { scimType }), detail },
    status,
  )

const STATUS: Readonly<Record<ErrorKind, Status>> = {
  config: 500,
  unavailable: 503,
  invalid: 400,
  'not-found': 404,
  gone: 404,
  conflict: 409,
  forbidden: 403,
  internal: 500,
}

export function answerScimError(
  { logger }: Pick<ApiOptions, 'logger'>,
  c: ApiContext,
  error: unknown,
): Response {
  if (error instanceof ScimError) return scimRefusal(c, error.status, error.message, error.scimType)
  const kind = error instanceof SondeError ? error.kind : 'internal'
  const status = STATUS[kind]
  if (error instanceof SondeError && status < 500)
    return scimRefusal(c, status, wordsOf(error), typeOf(error))
  if (c.req.raw.signal.aborted) return c.body(null, 400)
  const id = randomBytes(6).toString('hex')
  logger.error({ err: error, id, path: c.req.path }, 'a SCIM request failed')
  if (error instanceof UnavailableError) c.header('retry-after', String(error.retryAfterSec))
  return scimRefusal(
    c,
    status,
    kind === 'unavailable' ? 'Not available for now, try again' : `Internal error ${id}`,
  )
}

const wordsOf = ({ message, hint }: SondeError): string =>
  hint === undefined ? message : `${message}. ${hint}`

function typeOf({ kind, subject }: SondeError): ScimType | undefined {
  if (kind === 'conflict')
    return subject === 'userName' || subject === 'displayName' ? 'uniqueness' : undefined
  if (kind !== 'invalid') return undefined
  if (subject === 'filter') return 'invalidFilter'
  return subject === 'path' ? 'invalidPath' : 'invalidValue'
}
