/**
 * Debug ids: which build of a file a crash and its symbols are of. One form: a UUID in lower case, and `-age` in hex behind
 * it where the age is not 0. https://docs.sentry.io/platforms/native/data-management/debug-files/identifiers/
 */
import { createHash } from 'node:crypto'

const UUID_DIGITS = 32

/** Takes what SDKs, sentry-cli and Breakpad write: with and without hyphens, `ABC…0` with the age behind. */
export function readDebugId(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 60) return undefined
  const digits = value.replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{32,40}$/.test(digits)) return undefined
  const age = digits.slice(UUID_DIGITS).replace(/^0+/, '')
  const uuid = hyphened(digits.slice(0, UUID_DIGITS))
  return age === '' ? uuid : `${uuid}-${age}`
}

export const hyphened = (digits: string): string =>
  [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20, 32),
  ].join('-')

/** Of a GNU build id, or of a GUID as Microsoft's formats hold it: its first three fields are little-endian. */
export function debugIdOfGuid(bytes: Uint8Array, age = 0): string {
  const guid = Buffer.alloc(16)
  guid.set(bytes.subarray(0, 16))
  guid.subarray(0, 4).reverse()
  guid.subarray(4, 6).reverse()
  guid.subarray(6, 8).reverse()
  const uuid = hyphened(guid.toString('hex'))
  return age === 0 ? uuid : `${uuid}-${age.toString(16)}`
}

/** RFC 9562 version 5 in the namespace of `guardsquare.com`, as sentry-cli names a mapping that has no id of its own. */
export function debugIdOfMapping(bytes: Uint8Array): string {
  const dns = Buffer.from('6ba7b8109dad11d180b400c04fd430c8', 'hex')
  return hyphened(uuid5(uuid5(dns, Buffer.from('guardsquare.com')), bytes).toString('hex'))
}

function uuid5(namespace: Uint8Array, name: Uint8Array): Buffer {
  const id = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16)
  id[6] = (id[6]! & 0x0f) | 0x50
  id[8] = (id[8]! & 0x3f) | 0x80
  return id
}
