/**
 * Dynamic registration (RFC 7591) that keeps nothing: the client id is what was registered, with a keyed hash
 * (https://www.rfc-editor.org/rfc/rfc7591#appendix-A.5.2, "stateless client registration"). So strangers fill no table, nothing
 * has to expire, and every node knows every client. What is kept is what a person connects.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { redirectUriFault } from './redirect-uri.ts'

/** What an application says of itself. Nobody has checked the name. */
export type OauthClient = {
  readonly clientId: string
  readonly name: string
  readonly redirectUris: readonly string[]
}

/** As in RFC 7591, 3.2.2. */
export type OauthRefusal = { readonly error: string; readonly error_description: string }

const MAX_NAME_CHARS = 100
const MAX_REDIRECT_URIS = 10
/** Ten addresses of 500 characters, a name, and base64 around them. */
const MAX_ID_CHARS = 8_000
const FORM = /^sonde_client_([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/

const METADATA = z.object({
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
  client_name: z.string().optional(),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
})

export type ClientIds = {
  /** Of the parsed body of a request. The answer as RFC 7591 has it. */
  register(body: unknown, nowMs: number): Readonly<Record<string, unknown>> | OauthRefusal
  /** Undefined: not registered here, or before the installation's key was changed. */
  read(clientId: string): OauthClient | undefined
}

export function createClientIds(secret: string): ClientIds {
  const macText = (payload: string): string =>
    createHmac('sha256', secret).update(`oauth client ${payload}`).digest('base64url')
  return {
    register(body, nowMs) {
      const parsed = METADATA.safeParse(body)
      if (!parsed.success)
        return refused(
          'invalid_client_metadata',
          `redirect_uris: a list of 1 to ${MAX_REDIRECT_URIS} addresses is needed`,
        )
      const { redirect_uris: redirectUris, client_name, grant_types, response_types } = parsed.data
      for (const uri of redirectUris) {
        const fault = redirectUriFault(uri)
        if (fault !== undefined)
          return refused(
            'invalid_redirect_uri',
            `${uri.slice(0, 200).replaceAll(/[^\x20-\x7e]/g, '?')} ${fault}`,
          )
      }
      if (grant_types && !grant_types.includes('authorization_code'))
        return refused('invalid_client_metadata', 'grant_types: only authorization_code and refresh_token')
      if (response_types && !response_types.includes('code'))
        return refused('invalid_client_metadata', 'response_types: only code')
      const name = plainName(client_name ?? '')
      const issuedSec = Math.floor(nowMs / 1000)
      // Two that say the same are two clients.
      const facts = { n: name, r: redirectUris, t: issuedSec, i: randomBytes(9).toString('base64url') }
      const payload = Buffer.from(JSON.stringify(facts)).toString('base64url')
      return {
        client_id: `sonde_client_${payload}.${macText(payload)}`,
        client_id_issued_at: issuedSec,
        client_name: name,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        // Whatever it asked for: a secret that was handed to whoever asked proves nothing, PKCE does.
        token_endpoint_auth_method: 'none',
      }
    },
    read(clientId) {
      if (clientId.length > MAX_ID_CHARS) return undefined
      const [, payload = '', mac = ''] = FORM.exec(clientId) ?? []
      // As text: of the same bytes there is more than one text.
      if (payload === '' || !timingSafeEqual(Buffer.from(mac), Buffer.from(macText(payload))))
        return undefined
      // Only what `register` made has the hash.
      const facts = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { n: string; r: string[] }
      return { clientId, name: facts.n, redirectUris: facts.r }
    },
  }
}

const refused = (error: string, description: string): OauthRefusal => ({
  error,
  error_description: description,
})

/** Without what could hide or turn around the words beside it. */
function plainName(name: string): string {
  const plain = name
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_CHARS)
  return plain === '' ? 'An application without a name' : plain.toWellFormed()
}
