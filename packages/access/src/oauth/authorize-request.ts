/**
 * What an application asks for when it sends a browser to the consent page: RFC 6749 4.1.1 with PKCE (RFC 7636, S256 alone),
 * resource indicators (RFC 8707) and the issuer in the answer (RFC 9207).
 */
import { isScope, type Scope } from '../permission.ts'
import type { ClientIds, OauthClient } from './client-id.ts'
import { isRegistered } from './redirect-uri.ts'

export type AuthorizeRequest = {
  readonly client: OauthClient
  readonly redirectUri: string
  /** What it would like; a person may give less. Never empty. */
  readonly scopes: readonly Scope[]
  readonly state: string | undefined
  readonly codeChallenge: string
  /** The one address that the tokens will open; undefined: all that the scopes allow. */
  readonly resource: string | undefined
}

/**
 * `back`: where the application may be told, when the person presses a link. Nobody is sent there unasked: whoever registers
 * an address could otherwise send people anywhere from an address of this Sonde (RFC 9700, 4.11.2).
 */
export type AuthorizeFault = {
  readonly error: string
  /** A sentence for people. */
  readonly description: string
  readonly back?: string
}

export type ReadAuthorize =
  | { readonly ok: true; readonly request: AuthorizeRequest }
  | { readonly ok: false; readonly fault: AuthorizeFault }

/** What somebody gets who asks for no scope. */
const DEFAULT_SCOPES: readonly Scope[] = ['org:read', 'project:read', 'event:read']
const MAX_STATE_CHARS = 2_000
/** base64url of a SHA-256. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

export const mcpResource = (publicUrl: string): string => `${publicUrl}/mcp`

export function readAuthorizeRequest(
  clients: ClientIds,
  publicUrl: string,
  params: URLSearchParams,
): ReadAuthorize {
  const one = (name: string): string | undefined => params.get(name) || undefined
  const repeated = [...new Set(params.keys())].find(
    (name) => name !== 'resource' && params.getAll(name).length > 1,
  )
  const unsent = (error: string, description: string): ReadAuthorize => ({
    ok: false,
    fault: { error, description },
  })
  if (repeated !== undefined)
    return unsent('invalid_request', 'A parameter of the address stands there twice.')
  const client = clients.read(one('client_id') ?? '')
  if (!client)
    return unsent(
      'invalid_client',
      'This Sonde does not know the application. Remove the connection in the application and add it again.',
    )
  const redirectUri = one('redirect_uri')
  if (redirectUri === undefined || !isRegistered(client.redirectUris, redirectUri))
    return unsent(
      'invalid_request',
      'The application asks to be answered at an address that it did not register.',
    )
  const state = one('state')
  const failed = (error: string, description: string): ReadAuthorize => ({
    ok: false,
    fault: { error, description, back: answerUrl({ redirectUri, state, publicUrl }, { error }) },
  })
  if (state !== undefined && state.length > MAX_STATE_CHARS)
    return unsent('invalid_request', `The parameter state has more than ${MAX_STATE_CHARS} characters.`)
  if (one('response_type') !== 'code')
    return failed('unsupported_response_type', 'The application asks for something else than a code.')
  const codeChallenge = one('code_challenge') ?? ''
  if (!CHALLENGE.test(codeChallenge) || one('code_challenge_method') !== 'S256')
    return failed('invalid_request', 'The application does not use PKCE with S256, which this Sonde needs.')
  const resource = resourceOf(publicUrl, params.getAll('resource'))
  if (resource === null)
    return failed('invalid_target', 'The application asks for access to something that is not this Sonde.')
  const asked = (one('scope') ?? '').split(' ').filter((scope) => scope !== '')
  const scopes = asked.length === 0 ? DEFAULT_SCOPES : [...new Set(asked.filter(isScope))]
  if (scopes.length === 0)
    return failed('invalid_scope', 'The application asks for permissions that this Sonde does not have.')
  return { ok: true, request: { client, redirectUri, scopes, state, codeChallenge, resource } }
}

/** Undefined: everything here. Null: not ours, or more than one. */
export function resourceOf(publicUrl: string, asked: readonly string[]): string | undefined | null {
  const [only, ...more] = new Set(asked.map((each) => each.replace(/\/$/, '')))
  if (only === undefined) return undefined
  if (more.length > 0) return null
  if (only === mcpResource(publicUrl)) return only
  return only === publicUrl || only === `${publicUrl}/api/0` ? undefined : null
}

/** Who answers stands beside the answer, so that no client takes it for another server's. */
export function answerUrl(
  request: { readonly redirectUri: string; readonly state: string | undefined; readonly publicUrl: string },
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(request.redirectUri)
  const fields = {
    ...answer,
    ...(request.state !== undefined && { state: request.state }),
    iss: request.publicUrl,
  }
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.href
}
