/**
 * An OpenID provider on this machine that can be told to lie in each thing that it says. Honest unless told; it asks nobody who they
 * are. What a real provider says is next door: `oidc-server.ts`.
 */
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Json = Readonly<Record<string, unknown>>
type Handler = (req: IncomingMessage, res: ServerResponse) => void

export type Lies = {
  readonly discovery?: (honest: Json) => Json
  /** Of the ID token. */
  readonly claims?: (honest: Json) => Json
  readonly idToken?: (claims: Json, key: ProviderKey) => string
  readonly userinfo?: Json
  /** What the browser brings back. */
  readonly returned?: (honest: URLSearchParams) => void
  /** In the place of what stands there. */
  readonly at?: Readonly<Record<string, Handler>>
}

export type ProviderKey = { readonly kid: string; readonly privateKey: KeyObject }

export const newKey = (): ProviderKey => ({
  kid: `key-${Math.random()}`,
  privateKey: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
})

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** As it should be. */
export function signed(claims: Json, { kid, privateKey }: ProviderKey): string {
  const text = `${part({ alg: 'RS256', kid, typ: 'JWT' })}.${part(claims)}`
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
}

export const unsigned = (claims: Json): string => `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`

/** CVE-2015-9235 and its kin: the public key is the secret. */
export function signedWithPublicKey(claims: Json, { kid, privateKey }: ProviderKey): string {
  const pem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' })
  const text = `${part({ alg: 'HS256', kid, typ: 'JWT' })}.${part(claims)}`
  return `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`
}

export type LyingServer = Awaited<ReturnType<typeof startLyingServer>>

export async function startLyingServer() {
  const key = newKey()
  const nonces = new Map<string, string>()
  const told = { lies: {} as Lies, nowSec: () => Math.floor(Date.now() / 1000) }
  const json = (res: ServerResponse, value: object): void => {
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }
  const honest: Readonly<Record<string, Handler>> = {
    '/.well-known/openid-configuration': (_, res) => {
      const metadata = {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        userinfo_endpoint: `${issuer}/me`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }
      json(res, told.lies.discovery?.(metadata) ?? metadata)
    },
    '/auth': (req, res) => {
      const asked = new URL(req.url ?? '', issuer).searchParams
      const code = `code-${nonces.size}`
      nonces.set(code, asked.get('nonce') ?? '')
      const back = new URLSearchParams({ code, state: asked.get('state') ?? '', iss: issuer })
      told.lies.returned?.(back)
      res.writeHead(303, { location: `${asked.get('redirect_uri')}?${back}` }).end()
    },
    '/token': (req, res) => {
      const pieces: Buffer[] = []
      req.on('data', (piece: Buffer) => pieces.push(piece))
      req.on('end', () => {
        // It takes a code as often as it comes.
        const code = new URLSearchParams(Buffer.concat(pieces).toString()).get('code') ?? ''
        const claims = {
          iss: issuer,
          sub: 'ada',
          aud: 'sonde',
          exp: told.nowSec() + 300,
          iat: told.nowSec(),
          nonce: nonces.get(code),
          email: 'ada@acme.test',
          email_verified: true,
          groups: ['eng'],
        }
        const { lies } = told
        const id_token = (lies.idToken ?? signed)(lies.claims?.(claims) ?? claims, key)
        json(res, { access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token })
      })
    },
    '/jwks': (_, res) => {
      const jwk = createPublicKey(key.privateKey).export({ format: 'jwk' })
      json(res, { keys: [{ ...jwk, kid: key.kid, use: 'sig', alg: 'RS256' }] })
    },
    '/me': (_, res) => json(res, told.lies.userinfo ?? { sub: 'ada' }),
  }
  const server = createServer((req, res) => {
    const { pathname } = new URL(req.url ?? '', issuer)
    const handle = told.lies.at?.[pathname] ?? honest[pathname]
    if (handle) handle(req, res)
    else res.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    /** From now on, until it is told something else. */
    tell(lies: Lies): void {
      told.lies = lies
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
