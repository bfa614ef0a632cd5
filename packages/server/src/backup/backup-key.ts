/**
 * The key file of backups: an age identity as `age-keygen` writes it, which encrypts and decrypts, or recipients alone, with
 * which backups can be made and not read. https://age-encryption.org/v1
 */
import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { SondeError } from '@sonde/base'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { isOpenToOthers } from '../secret/secret-file.ts'

export type BackupKey = {
  /** `age1…`: for whom backups are encrypted. Sorted. */
  readonly recipients: readonly string[]
  /** `AGE-SECRET-KEY-1…`. None: backups can be made, and not read. */
  readonly identities: readonly string[]
}

const MAX_FILE_BYTES = 64 * 1024
const IDENTITY = /^AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{20,4000}$/
const RECIPIENT = /^age1[0-9a-z]{20,4000}$/

/** Throws `SondeError` (`config`) for a file that is missing, holds no key, or holds a secret one that others can read. */
export async function readBackupKey(file: string): Promise<BackupKey> {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found?.isFile())
    throw refused(file, 'there is no such file', 'make one with `sonde backup key --out FILE`')
  if (found.size > MAX_FILE_BYTES) throw refused(file, 'it is too large for a key file', USE_AGE)
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  const identities = lines.filter((line) => IDENTITY.test(line))
  const recipients = lines.filter((line) => RECIPIENT.test(line))
  if (identities.length + recipients.length !== lines.length || lines.length === 0)
    throw refused(file, 'it holds something else than age keys', USE_AGE)
  if (identities.length > 0 && isOpenToOthers(found, process.getuid?.()))
    throw refused(file, 'other users of this machine may read or change it', `chmod 600 ${file}`)
  try {
    const own = await Promise.all(identities.map((identity) => identityToRecipient(identity)))
    return { identities, recipients: [...new Set([...own, ...recipients])].sort() }
  } catch (cause) {
    throw refused(file, (cause as Error).message, USE_AGE)
  }
}

/** Makes a key file that only this user may read, and never over one that is there. Returns its recipient. */
export async function makeBackupKey(file: string, now: Date): Promise<string> {
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  try {
    const made = openSync(file, 'wx', 0o600)
    try {
      writeSync(made, `# created: ${now.toISOString()}\n# public key: ${recipient}\n${identity}\n`)
      fsyncSync(made)
    } finally {
      closeSync(made)
    }
  } catch (cause) {
    throw new SondeError('config', `the key file ${file} cannot be written: ${(cause as Error).message}`, {
      operation: 'make a key for backups',
      subject: file,
      cause,
      hint: 'name a file that does not exist, in a folder that this user can write to',
    })
  }
  return recipient
}

const USE_AGE =
  'a line AGE-SECRET-KEY-1… as `sonde backup key` or `age-keygen` writes it, or age1… to make backups that this machine cannot read'

function refused(file: string, why: string, hint: string): SondeError {
  return new SondeError('config', `the key file ${file} cannot be used: ${why}`, {
    operation: 'read the key of backups',
    subject: file,
    hint,
  })
}
