/** How a failure comes over the internal socket, so that whoever asked can tell one kind from another. */
import { type ErrorKind, SondeError } from '@sonde/base'

const STATUS: Readonly<Record<ErrorKind, number>> = {
  config: 500,
  unavailable: 503,
  invalid: 400,
  'not-found': 404,
  gone: 410,
  conflict: 409,
  forbidden: 403,
  internal: 500,
}

const ERROR_TYPE = 'application/json; profile=error'

export type ErrorAnswer = { readonly status: number; readonly type: string; readonly text: string }

/** Of what is none of ours the message alone. */
export function errorAnswer(error: unknown): ErrorAnswer {
  if (!(error instanceof SondeError))
    return { status: 500, type: 'text/plain', text: error instanceof Error ? error.message : String(error) }
  const { kind, message, operation, subject, hint } = error
  return {
    status: STATUS[kind],
    type: ERROR_TYPE,
    text: JSON.stringify({ kind, message, operation, subject, hint }),
  }
}

/** The same error on the other side. */
export function errorOf(path: string, { status, type, text }: ErrorAnswer): SondeError {
  const operation = 'ask the running Sonde'
  if (type !== ERROR_TYPE)
    return new SondeError('unavailable', `${path} answered ${status}: ${text}`, { operation })
  const { kind, message, ...details } = JSON.parse(text) as Pick<
    SondeError,
    'kind' | 'message' | 'operation'
  > & { readonly subject?: string; readonly hint?: string }
  return new SondeError(kind, message, details)
}
