/** What went wrong with an S3 server, for code (kind, whether to try again) and for people (what to do). */
import { type ErrorDetails, SondeError, UnavailableError } from '@sonde/base'
import type { S3Address } from './s3-address.ts'
import { textIn } from './s3-xml.ts'

/** One attempt that failed: the server's answer, or that there was none. Stays inside this folder. */
export class S3Failure extends Error {
  /** The server's own name for it, or one of ours for what has no answer: `no-answer`, `damaged`. */
  readonly code: string
  readonly isPassing: boolean

  constructor(
    code: string,
    message: string,
    more: { readonly isPassing: boolean; readonly cause?: unknown },
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'S3Failure'
    this.code = code
    this.isPassing = more.isPassing
  }
}

const PASSING_STATUS = new Set([408, 429, 500, 502, 503, 504])
const PASSING_CODES = new Set(['SlowDown', 'RequestTimeout', 'BadDigest', 'XAmzContentSHA256Mismatch'])
// A server's message is for its own log; people need its first sentence.
const MAX_MESSAGE_CHARS = 200

/** Of an answer that is no success. */
export function failureIn(body: string, status: number, region?: string): S3Failure {
  const code = textIn(body, 'Code') ?? `HTTP ${status}`
  const message = (textIn(body, 'Message') ?? '').slice(0, MAX_MESSAGE_CHARS)
  const where = region === undefined ? '' : ` (the bucket is in region ${region})`
  const isPassing = PASSING_STATUS.has(status) || PASSING_CODES.has(code)
  return new S3Failure(code, `${code}${message && `: ${message}`}${where}`, { isPassing })
}

/** Nothing came, not all of it, or not in time. */
export function noAnswer(cause: unknown): S3Failure {
  if (cause instanceof S3Failure) return cause
  const { message, cause: reason } = cause as Error
  const why =
    reason instanceof Error
      ? `${message}: ${reason.message || (reason as NodeJS.ErrnoException).code}`
      : message
  return new S3Failure('no-answer', why, { isPassing: true, cause })
}

export const tooLate = (ms: number): S3Failure =>
  new S3Failure('no-answer', `nothing came within ${ms / 1000} s`, { isPassing: true })

export const cutShort = (bytes: number, wanted: number): S3Failure =>
  new S3Failure('no-answer', `${bytes} of ${wanted} bytes came`, { isPassing: true })

/** May be the network's doing, so it is tried again. */
export const damaged = (message: string): S3Failure => new S3Failure('damaged', message, { isPassing: true })

const RETRY_AFTER_SEC = 10

/**
 * For whoever called: `internal` for a blob that is damaged, which waiting does not mend; else `unavailable`, since the
 * operator can set it right, and nothing is lost until then.
 */
export function errorOf(
  cause: unknown,
  address: S3Address,
  about: Pick<ErrorDetails, 'operation' | 'subject'>,
): SondeError {
  const failure = noAnswer(cause)
  const message = `${about.operation}: ${failure.message}`
  const details = { ...about, cause: failure, hint: hintOf(failure.code, address) }
  if (failure.code === 'damaged') return new SondeError('internal', message, details)
  return new UnavailableError(message, { ...details, retryAfterSec: RETRY_AFTER_SEC })
}

const FULL = /StorageFull|InsufficientStorage|QuotaExceeded|HTTP 507/
const KEYS = /^(InvalidAccessKeyId|SignatureDoesNotMatch|InvalidToken|ExpiredToken|XAdminUserNotFound)$/
const REGION =
  /^(AuthorizationHeaderMalformed|PermanentRedirect|IllegalLocationConstraintException|HTTP 301)$/
const RIGHTS = /^(AccessDenied|AllAccessDisabled|HTTP 403)$/

function hintOf(code: string, { bucket, endpoint, region }: S3Address): string {
  if (code === 'NoSuchBucket') return `make the bucket ${bucket}, or correct its name in SONDE_BLOBS_URL`
  if (KEYS.test(code)) return 'correct SONDE_BLOBS_ACCESS_KEY and SONDE_BLOBS_SECRET_KEY'
  if (RIGHTS.test(code)) return `give the key the rights on ${bucket} that docs/operate/s3.md lists`
  if (REGION.test(code)) return `correct region=${region} in SONDE_BLOBS_URL`
  if (code === 'RequestTimeTooSkewed') return "set this machine's clock"
  if (FULL.test(code)) return 'free space on the S3 server, or raise its quota'
  if (code === 'damaged') return `what ${endpoint} stores is not what was written: restore it from a backup`
  return `the S3 server must answer at ${endpoint}`
}
