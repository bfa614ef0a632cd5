/** What may name a blob: valid as a file path below a folder and as an S3 key, and never leaves the folder. */
import { SondeError } from '@sonde/base'

const SEGMENT = /^[a-z0-9_-][a-z0-9_.-]*$/
// Limits of most file systems (a name) and of S3 (a key).
const MAX_SEGMENT_CHARS = 200
const MAX_NAME_CHARS = 1000

/** Throws `SondeError`, kind `invalid`. Segments may not begin with a dot: those names are ours. */
export function checkBlobName(name: string): void {
  if (isBlobName(name)) return
  throw new SondeError('invalid', `${JSON.stringify(name.slice(0, 100))} cannot name a blob`, {
    operation: 'name a blob',
    subject: name.slice(0, 100),
    hint: 'use a-z, 0-9, "_", ".", "-" and "/" between non-empty parts that do not begin with a dot',
  })
}

export const isBlobName = (name: string): boolean =>
  name.length <= MAX_NAME_CHARS &&
  name
    .split('/')
    .every((part) => part.length <= MAX_SEGMENT_CHARS && SEGMENT.test(part) && !part.includes('..'))
