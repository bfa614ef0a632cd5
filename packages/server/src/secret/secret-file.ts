/**
 * The key that signs cookies and encrypts second factors, in a file of its own: whoever gets a copy of the records can
 * neither sign in with it nor read them.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { SondeError } from '@sonde/base'

/** What better-auth demands, and beyond trying out when it is random. */
const MIN_CHARS = 32
const FOR_OTHERS = 0o077
/** Root decides who is in the group of what it mounts: secrets of Kubernetes come as 0440, with the pod's group. */
const FOR_OTHERS_OF_ROOT = 0o037

export const newSecret = (): string => randomBytes(32).toString('base64url')

/** Undefined: there is no file. Throws `SondeError` (`config`) for one that others can read, or that is too short. */
export function readSecretFile(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) return undefined
  const mode = found.mode & 0o777
  if (isOpenToOthers(found, process.getuid?.()))
    throw refused(
      file,
      `other users of this machine may read or change it (mode ${mode.toString(8).padStart(4, '0')})`,
      `chmod 600 ${file}; if somebody may have read it, run \`sonde secret rotate\` afterwards`,
    )
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < MIN_CHARS)
    throw refused(
      file,
      `it has ${secret.length} characters; at least ${MIN_CHARS} random ones are needed`,
      'restore the file that Sonde ran with, or, if Sonde never ran with another, delete it: the next start makes one',
    )
  return secret
}

/** `uid`: of this process; undefined where the system has none. */
export function isOpenToOthers(file: { readonly mode: number; readonly uid: number }, uid?: number): boolean {
  const isOfRoot = file.uid === 0 && uid !== 0
  return (file.mode & (isOfRoot ? FOR_OTHERS_OF_ROOT : FOR_OTHERS)) !== 0
}

/** Readable by this user only, and never over a file that is there. Durable when it returns. */
export function writeSecretFile(file: string, secret: string): void {
  try {
    const made = openSync(file, 'wx', 0o600)
    try {
      writeSync(made, `${secret}\n`)
      fsyncSync(made)
    } finally {
      closeSync(made)
    }
    syncFolderOf(file)
  } catch (cause) {
    throw new SondeError('config', `SONDE_SECRET_FILE: ${(cause as Error).message}`, {
      operation: 'write the secret key',
      subject: file,
      cause,
      hint: 'its folder must exist and be writable by this user',
    })
  }
}

/** The key that a rotation prepares, beside the one in use until the records follow. */
export const nextSecretFile = (file: string): string => `${file}.next`

export function useNextSecret(file: string): void {
  renameSync(nextSecretFile(file), file)
  syncFolderOf(file)
}

export function dropNextSecret(file: string): void {
  rmSync(nextSecretFile(file), { force: true })
}

function syncFolderOf(file: string): void {
  const folder = openSync(dirname(file), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

export function refused(file: string, why: string, hint: string): SondeError {
  return new SondeError('config', `the secret key in ${file} cannot be used: ${why}`, {
    operation: 'read the secret key',
    subject: file,
    hint,
  })
}
