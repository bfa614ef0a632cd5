/** What an append answers when it cannot be made durable: always `UnavailableError`, with what to do about it. */
import { UnavailableError } from '@sonde/base'

// Disks fill and empty over seconds; sooner would only repeat the refusal.
const RETRY_AFTER_SEC = 10

export function refusal(dir: string, message: string, cause?: unknown): UnavailableError {
  return new UnavailableError(message, {
    operation: 'append to the log',
    subject: dir,
    hint: hintFor(cause),
    retryAfterSec: RETRY_AFTER_SEC,
    ...(cause === undefined ? {} : { cause }),
  })
}

export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCode(error))
}

function hintFor(cause: unknown): string {
  if (isDiskFull(cause)) return 'Free space on the disk of the log; it goes on by itself.'
  if (['EIO', 'EROFS'].includes(errorCode(cause)))
    return 'The disk reports errors: see the kernel log, replace or remount it.'
  return 'It goes on by itself once the pipeline or the disk has caught up; see sonde doctor.'
}

function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? ''
}
