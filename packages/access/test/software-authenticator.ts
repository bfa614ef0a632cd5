/** An authenticator in software (https://www.w3.org/TR/webauthn-3/#sctn-authenticator-model): ES256, attestation `none`. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

type Given = {
  readonly challenge: string
  readonly origin?: string
  readonly rpId?: string
  readonly isUserVerified?: boolean
}

const b64 = (bytes: Buffer): string => bytes.toString('base64url')
const head = (major: number, length: number): Buffer =>
  length < 24
    ? Buffer.from([(major << 5) | length])
    : length < 256
      ? Buffer.from([(major << 5) | 24, length])
      : Buffer.from([(major << 5) | 25, length >> 8, length & 255])
const cborInt = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value))
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([head(2, bytes.length), bytes])
const cborText = (text: string): Buffer => Buffer.concat([head(3, text.length), Buffer.from(text)])
const cborMap = (pairs: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([head(5, pairs.length), ...pairs.flat()])

export function softwareAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  let count = 0
  const clientData = (type: string, { challenge, origin = 'http://localhost' }: Given): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authData = ({ rpId = 'localhost', isUserVerified = true }: Given, attested?: Buffer): Buffer => {
    count += 1
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(count)
    const flags = 0x01 | (isUserVerified ? 0x04 : 0) | (attested ? 0x40 : 0)
    const hash = createHash('sha256').update(rpId).digest()
    return Buffer.concat([hash, Buffer.from([flags]), counter, attested ?? Buffer.alloc(0)])
  }
  const common = { id: b64(id), rawId: b64(id), type: 'public-key', clientExtensionResults: {} }
  return {
    /** JSON as the browser's `toJSON` gives it. */
    register(given: Given): string {
      const cose = cborMap([
        [cborInt(1), cborInt(2)],
        [cborInt(3), cborInt(-7)],
        [cborInt(-1), cborInt(1)],
        [cborInt(-2), cborBytes(Buffer.from(x, 'base64url'))],
        [cborInt(-3), cborBytes(Buffer.from(y, 'base64url'))],
      ])
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
      const attestationObject = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(authData(given, attested))],
      ])
      const clientDataJSON = b64(clientData('webauthn.create', given))
      const response = { clientDataJSON, attestationObject: b64(attestationObject), transports: ['internal'] }
      return JSON.stringify({ ...common, response })
    },
    assert(given: Given): string {
      const data = clientData('webauthn.get', given)
      const authenticatorData = authData(given)
      const signed = Buffer.concat([authenticatorData, createHash('sha256').update(data).digest()])
      const response = {
        clientDataJSON: b64(data),
        authenticatorData: b64(authenticatorData),
        signature: b64(sign('sha256', signed, privateKey)),
      }
      return JSON.stringify({ ...common, response })
    },
    /** As a copy of it would. */
    rewind: (to: number) => (count = to),
  }
}
