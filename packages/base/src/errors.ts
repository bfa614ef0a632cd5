/**
 * Errors that code branches on by `kind` and people read: what was tried, on what, why it failed,
 * what to do next. Nobody matches on message text.
 */
export type ErrorKind =
  | 'config'
  | 'unavailable'
  | 'invalid'
  | 'not-found'
  /** It was there, and what is left cannot be read: its text is for whoever asked. */
  | 'gone'
  | 'conflict'
  | 'forbidden'
  | 'internal'

export type ErrorDetails = {
  /** The operation that failed, as a verb phrase: 'append to the log'. */
  readonly operation: string
  /** What it was done to: a path, a name, an id. */
  readonly subject?: string
  /** The next step for whoever reads it. */
  readonly hint?: string
  readonly cause?: unknown
}

export class SondeError extends Error {
  readonly kind: ErrorKind
  readonly operation: string
  readonly subject: string | undefined
  readonly hint: string | undefined

  constructor(kind: ErrorKind, message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'SondeError'
    this.kind = kind
    this.operation = details.operation
    this.subject = details.subject
    this.hint = details.hint
  }
}

/** What to branch on where errors of any part may arrive; undefined for what is none of ours. */
export const errorKind = (error: unknown): ErrorKind | undefined =>
  error instanceof SondeError ? error.kind : undefined

/** Stops the start: names the setting, its value and what is allowed. */
export class ConfigError extends SondeError {
  constructor(setting: string, message: string, hint?: string) {
    super('config', `${setting}: ${message}`, {
      operation: 'read the configuration',
      subject: setting,
      ...(hint === undefined ? {} : { hint }),
    })
    this.name = 'ConfigError'
  }
}

/** A part cannot work for now (disk full, engine restarting); the caller may try again. */
export class UnavailableError extends SondeError {
  readonly retryAfterSec: number
  /** What does not answer, for everybody: without addresses. */
  readonly missing: string | undefined

  constructor(
    message: string,
    details: ErrorDetails & { readonly retryAfterSec: number; readonly missing?: string },
  ) {
    super('unavailable', message, details)
    this.name = 'UnavailableError'
    this.missing = details.missing
    this.retryAfterSec = details.retryAfterSec
  }
}
