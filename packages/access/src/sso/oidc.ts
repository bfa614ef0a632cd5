/**
 * OpenID Connect as a relying party: discovery, authorization code with PKCE, state and nonce
 * (https://openid.net/specs/openid-connect-core-1_0.html, RFC 9700). The protocol is `openid-client`'s; ours is which of its
 * checks are on, that each request goes through the one guard, and what an error of it means.
 *
 * Every sign-in reads the provider's keys anew, so a key that was changed a second ago works, and one that was withdrawn does
 * not.
 */
import { SondeError } from '@sonde/base'
import type { Outgoing } from '@sonde/outgoing'
import type * as Client from 'openid-client'
import { CLOCK_SKEW_SEC, domainOf, personFrom, type SsoPerson, SsoRefusal } from './provider.ts'

export type OidcSettings = {
  /** As it stands in the provider's tokens: `https://login.example.com/realms/acme`. */
  readonly issuer: string
  readonly clientId: string
  /** Beside `openid`, `email` and `profile`: some providers tell groups only to who asks. */
  readonly scopes: readonly string[]
  /** The claim that holds the groups. */
  readonly groupsClaim: string
  /** Takes addresses of providers that say nothing of `email_verified`. What says `false` is never taken. */
  readonly trustsEmail: boolean
}

export type OidcProvider = {
  readonly settings: OidcSettings
  readonly secret: string
  /** Where the provider sends the browser back. */
  readonly callbackUrl: string
}

/** What has to be there again when the browser comes back. */
export type OidcProof = { readonly state: string; readonly nonce: string; readonly verifier: string }

export type Oidc = {
  /** Reads what the provider says of itself; for people: where its sign-in page is. Throws `SsoRefusal`. */
  check(provider: OidcProvider): Promise<{ readonly signInUrl: string }>
  /** Where the browser goes. Throws `SsoRefusal` (`unreachable`). */
  begin(provider: OidcProvider): Promise<{ readonly location: string; readonly proof: OidcProof }>
  /** `returned`: the whole address with which the browser came back. Throws `SsoRefusal`. */
  finish(provider: OidcProvider, proof: OidcProof, returned: URL): Promise<SsoPerson>
}

/** Keys of all tenants of a large provider. */
const ANSWER_MAX_BYTES = 512 * 1024
const TIMEOUT_MS = 10_000
/** What a provider says of itself hardly ever changes, and everybody may begin a sign-in. */
const DISCOVERY_LIVES_MS = 5 * 60_000
const MAX_KEPT = 1_000

type Kept = { readonly metadata: Client.ServerMetadata; readonly untilMs: number }

export function createOidc(request: Outgoing['request']): Oidc {
  const kept = new Map<string, Kept>()

  const open = async (provider: OidcProvider, isFresh: boolean) => {
    const client = await import('openid-client')
    const { issuer, clientId } = provider.settings
    const server = issuerUrl(issuer)
    const setUp = [client.enableNonRepudiationChecks]
    if (server.protocol === 'http:') setUp.push(client.allowInsecureRequests)
    const fetch = guardedFetch(request)
    const old = kept.get(issuer)
    const auth = (metadata: Client.ServerMetadata) =>
      // What it says nothing of is `client_secret_basic`: OpenID Connect Discovery, section 3.
      metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post')
        ? client.ClientSecretPost(provider.secret)
        : client.ClientSecretBasic(provider.secret)
    if (isFresh || !old || old.untilMs < Date.now()) {
      const found = await client
        .discovery(server, clientId, undefined, undefined, { execute: setUp, [client.customFetch]: fetch })
        .catch((error: unknown) => {
          throw refusalOf(client, error)
        })
      const [oldest] = kept.keys()
      if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest)
      kept.set(issuer, { metadata: found.serverMetadata(), untilMs: Date.now() + DISCOVERY_LIVES_MS })
    }
    const metadata = kept.get(issuer)?.metadata
    if (!metadata) throw new Error('what was discovered is gone')
    if (metadata.authorization_endpoint === undefined || metadata.token_endpoint === undefined)
      throw new SsoRefusal('unreachable', `${issuer} offers no sign-in with an authorization code`)
    if (URL.parse(metadata.authorization_endpoint)?.protocol !== server.protocol)
      throw new SsoRefusal(
        'unreachable',
        `the sign-in page of ${issuer} does not begin with ${server.protocol}//`,
      )
    const config = new client.Configuration(
      { ...metadata },
      clientId,
      { client_secret: provider.secret, [client.clockTolerance]: CLOCK_SKEW_SEC },
      auth(metadata),
    )
    config[client.customFetch] = fetch
    for (const each of setUp) each(config)
    return { client, config, metadata }
  }

  return {
    async check(provider) {
      const { metadata } = await open(provider, true)
      return { signInUrl: metadata.authorization_endpoint ?? '' }
    },
    async begin(provider) {
      const { client, config } = await open(provider, false)
      const proof = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const location = client.buildAuthorizationUrl(config, {
        redirect_uri: provider.callbackUrl,
        scope: [...new Set(['openid', 'email', 'profile', ...provider.settings.scopes])].join(' '),
        state: proof.state,
        nonce: proof.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(proof.verifier),
        code_challenge_method: 'S256',
      })
      return { location: location.href, proof }
    },
    async finish(provider, proof, returned) {
      const { client, config, metadata } = await open(provider, false)
      const { groupsClaim, trustsEmail } = provider.settings
      try {
        const tokens = await client.authorizationCodeGrant(config, returned, {
          expectedState: proof.state,
          expectedNonce: proof.nonce,
          pkceCodeVerifier: proof.verifier,
          idTokenExpected: true,
        })
        const token = tokens.claims()
        if (!token) throw new SsoRefusal('wrong-proof', 'the provider sent no ID token')
        const isWhole = token['email'] !== undefined && token[groupsClaim] !== undefined
        const asksMore = !isWhole && metadata.userinfo_endpoint !== undefined
        const more = asksMore ? await client.fetchUserInfo(config, tokens.access_token, token.sub) : {}
        const claims: Readonly<Record<string, unknown>> = { ...more, ...token }
        return personFrom({
          subject: token.sub,
          email: claims['email'],
          isEmailVerified: isVerified(metadata.issuer, claims, trustsEmail),
          name: claims['name'] ?? claims['preferred_username'],
          groups: claims[groupsClaim],
          // https://openid.net/specs/openid-connect-core-1_0.html#AggregatedDistributedClaims
          hasGroupsElsewhere:
            claims[groupsClaim] === undefined && hasName(claims['_claim_names'], groupsClaim),
        })
      } catch (error) {
        throw refusalOf(client, error)
      }
    },
  }
}

const hasName = (names: unknown, name: string): boolean =>
  typeof names === 'object' && names !== null && Object.hasOwn(names, name)

const GOOGLE = 'https://accounts.google.com'

/**
 * Google also has accounts with addresses of domains that are not managed there, and stands for one only where `hd` names the
 * domain: https://developers.google.com/identity/gsi/web/guides/verify-google-id-token
 */
function isVerified(
  issuer: string,
  claims: Readonly<Record<string, unknown>>,
  trustsEmail: boolean,
): boolean {
  const { email, email_verified: says, hd } = claims
  if (issuer === GOOGLE && (typeof email !== 'string' || hd !== domainOf(email.toLowerCase()))) return false
  // Some write it as a text.
  return says === true || says === 'true' || (says === undefined && trustsEmail)
}

/** OpenID Connect asks for TLS; without it only on this machine. Throws `SsoRefusal`. */
export function issuerUrl(issuer: string): URL {
  const url = URL.parse(issuer)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new SsoRefusal('unreachable', 'the issuer is an address that begins with https://')
  const isHere = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)
  if (url.protocol === 'http:' && !isHere)
    throw new SsoRefusal(
      'unreachable',
      'the issuer must begin with https://: what it proves is worth its TLS',
    )
  return url
}

/** As `fetch`, without following anywhere, through the guard. */
function guardedFetch(request: Outgoing['request']): Client.CustomFetch {
  return async (url, { method, headers, body }) => {
    const answer = await request({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers: { ...headers },
      ...(body === undefined || body === null ? {} : { body: String(body as URLSearchParams | string) }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: ANSWER_MAX_BYTES,
    })
    if (!answer.isWhole)
      throw new SsoRefusal(
        'unreachable',
        `${new URL(url).host} answered with more than ${ANSWER_MAX_BYTES / 1024} KiB: too many groups or keys?`,
      )
    const type = answer.headers['content-type']
    const hasBody = answer.status !== 204 && answer.status !== 304
    return new Response(hasBody ? answer.body : null, {
      status: answer.status,
      headers: type === undefined ? {} : { 'content-type': type },
    })
  }
}

/** Codes of `oauth4webapi`: https://github.com/panva/oauth4webapi/tree/main/docs */
const TIME_CODES: ReadonlySet<unknown> = new Set(['OAUTH_JWT_TIMESTAMP_CHECK_FAILED'])
const UNREACHABLE_CODES: ReadonlySet<unknown> = new Set([
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_REQUEST_PROTOCOL_FORBIDDEN',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_INVALID_SERVER_METADATA',
  'OAUTH_TIMEOUT',
])

/** By the claim, attribute or parameter that is wrong. */
const HINTS: Readonly<Record<string, string>> = {
  issuer: 'enter the issuer as the provider writes it itself',
  iss: 'enter the issuer as the provider writes it in its tokens',
  aud: 'the client ID here must be that of the application at the provider, and the only audience',
  azp: 'the token was made for another application than the client ID here',
  nonce: 'it belongs to another sign-in',
  exp: 'the clocks of the two servers differ, or the provider keeps old tokens',
  nbf: 'the clocks of the two servers differ',
  iat: 'the clocks of the two servers differ',
  sub: 'its ID token and its other answers must be of one person',
}

/** What an owner looks at first. The library's errors carry what they are about in their causes. */
function hintOf(error: unknown): string | undefined {
  let cause: unknown = error
  for (let depth = 0; depth < 4 && typeof cause === 'object' && cause !== null; depth++) {
    if (cause instanceof Response) return `it answered ${cause.status}`
    const { claim, attribute } = cause as { claim?: unknown; attribute?: unknown }
    const name = claim ?? attribute
    if (typeof name === 'string' && Object.hasOwn(HINTS, name)) return HINTS[name]
    cause = (cause as { cause?: unknown }).cause
  }
  return undefined
}

function refusalOf(client: typeof Client, error: unknown): SsoRefusal {
  if (error instanceof SsoRefusal) return error
  const chain = [error, (error as { cause?: unknown }).cause]
  const known = chain.find((each) => each instanceof SondeError)
  if (known instanceof SondeError) return new SsoRefusal('unreachable', known.message, error)
  if (error instanceof client.AuthorizationResponseError) {
    const said = [error.error, error.error_description].filter(Boolean).join(': ').slice(0, 300)
    const reason = error.error === 'access_denied' ? 'denied' : 'provider-error'
    return new SsoRefusal(reason, `the provider answered ${said}`, error)
  }
  if (error instanceof client.ResponseBodyError) {
    const said = [error.error, error.error_description].filter(Boolean).join(': ').slice(0, 300)
    const isClient = error.error === 'invalid_client' || error.error === 'unauthorized_client'
    const reason = isClient ? 'wrong-client' : error.error === 'invalid_grant' ? 'expired' : 'provider-error'
    return new SsoRefusal(reason, `the provider answered ${said}`, error)
  }
  const { code } = error as { code?: unknown }
  const said = (chain[1] as Error | undefined)?.message ?? (error as Error).message
  const message = [said, hintOf(error)].filter(Boolean).join(': ')
  const codes = [code, ...chain.map((each) => (each as { code?: unknown } | undefined)?.code)]
  if (error instanceof client.WWWAuthenticateChallengeError)
    return new SsoRefusal('wrong-client', 'the provider refused the client id and secret', error)
  if (codes.some((each) => TIME_CODES.has(each)))
    return new SsoRefusal('wrong-time', `the ID token is not valid now: ${message}`, error)
  if (codes.some((each) => UNREACHABLE_CODES.has(each)))
    return new SsoRefusal(
      'unreachable',
      `what the provider answered is not OpenID Connect: ${message}`,
      error,
    )
  return new SsoRefusal('wrong-proof', `what the provider sent is not valid: ${message}`, error)
}
