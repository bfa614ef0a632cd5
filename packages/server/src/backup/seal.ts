/**
 * What lies in a repository is compressed with zstd and, with a key, is an age file of that: `age -d -i KEY | zstd -d` reads it
 * without Sonde.
 */
import { pipeline, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { SondeError } from '@sonde/base'
import { Decrypter, Encrypter } from 'age-encryption'
import type { BackupKey } from './backup-key.ts'

// Most of it is compressed already: higher levels take longer than they save.
const LEVEL = 3

export async function seal(plain: Readable, key: BackupKey | undefined): Promise<Readable> {
  const zstd = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: LEVEL } })
  // The reader of the last stream gets the error of any.
  pipeline(plain, zstd, () => undefined)
  if (key === undefined) return zstd
  const encrypter = new Encrypter()
  for (const recipient of key.recipients) encrypter.addRecipient(recipient)
  return fromWeb(await encrypter.encrypt(Readable.toWeb(zstd) as never))
}

/** Throws `forbidden` when this key does not open it. The stream fails where the bytes are not what was sealed. */
export async function unseal(
  sealed: Readable,
  { key, isEncrypted }: { readonly key: BackupKey | undefined; readonly isEncrypted: boolean },
): Promise<Readable> {
  const zstd = createZstdDecompress()
  const opened = isEncrypted ? await decrypt(sealed, key) : sealed
  pipeline(opened, zstd, () => undefined)
  return zstd
}

async function decrypt(sealed: Readable, key: BackupKey | undefined): Promise<Readable> {
  const decrypter = new Decrypter()
  for (const identity of key?.identities ?? []) decrypter.addIdentity(identity)
  try {
    return fromWeb(await decrypter.decrypt(Readable.toWeb(sealed) as never))
  } catch (cause) {
    sealed.destroy()
    if (cause instanceof SondeError) throw cause
    throw new SondeError('forbidden', `this key does not open the backup: ${(cause as Error).message}`, {
      operation: 'decrypt a backup',
      cause,
      hint: 'name the file with the secret key that it was made with: --key-file FILE or SONDE_BACKUP_KEY_FILE',
    })
  }
}

const fromWeb = (stream: unknown): Readable => Readable.fromWeb(stream as ReadableStream<Uint8Array>)
