/** What a browser's maker carries and cannot read: https://www.rfc-editor.org/rfc/rfc8291, one record of RFC 8188. */
import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** Of a subscription, in base64url. */
export type PushKeys = { readonly p256dh: string; readonly auth: string }

const CURVE = 'prime256v1'
const POINT_BYTES = 65
const AUTH_BYTES = 16
const RECORD_BYTES = 4_096
/** What services take at least: 4,096 bytes, of which 86 are the header, 16 the tag and one the end of the record. */
export const MAX_PUSH_BYTES = RECORD_BYTES - 86 - 17

/** Whether a message can be encrypted for them: a point of the curve, and a secret of the right length. */
export function arePushKeys({ p256dh, auth }: PushKeys): boolean {
  const point = Buffer.from(p256dh, 'base64url')
  if (point.length !== POINT_BYTES || Buffer.from(auth, 'base64url').length !== AUTH_BYTES) return false
  try {
    const own = createECDH(CURVE)
    own.generateKeys()
    own.computeSecret(point)
    return true
  } catch {
    return false
  }
}

/** Made anew for each message; a test gives those of the RFC. */
export type Ephemeral = { readonly privateKey?: Buffer; readonly salt?: Buffer }

/** Throws for keys that are none, and for more than `MAX_PUSH_BYTES`. */
export function encryptPush(
  text: string,
  { p256dh, auth }: PushKeys,
  { privateKey, salt = randomBytes(16) }: Ephemeral = {},
): Buffer {
  const plain = Buffer.from(text)
  if (plain.length > MAX_PUSH_BYTES) throw new RangeError(`a push has at most ${MAX_PUSH_BYTES} bytes`)
  const own = createECDH(CURVE)
  if (privateKey) own.setPrivateKey(privateKey)
  else own.generateKeys()
  const theirs = Buffer.from(p256dh, 'base64url')
  const ours = own.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours])
  const secret = derive(own.computeSecret(theirs), Buffer.from(auth, 'base64url'), info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // 2: it is the last record.
  const sealed = [cipher.update(plain), cipher.update(Buffer.of(2)), cipher.final(), cipher.getAuthTag()]
  const recordBytes = Buffer.alloc(4)
  recordBytes.writeUInt32BE(RECORD_BYTES)
  return Buffer.concat([salt, recordBytes, Buffer.of(ours.length), ours, ...sealed])
}

const derive = (key: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes))
