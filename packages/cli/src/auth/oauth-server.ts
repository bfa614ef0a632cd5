/**
 * What a Sonde says of its sign-in for programs (RFC 8414), and the requests of a program that has no secret: registering (RFC 7591),
 * refreshing, revoking (RFC 7009).
 */
import { SondeError } from '@sonde/base/errors'
import * as oauth from 'oauth4webapi'
import type { BrowserLogin } from './login-file.ts'

const ANSWER_WITHIN_MS = 10_000

/** `http:` is for a Sonde on the own machine or network: whoever names such an address gets what it is. */
const optionsFor = (url: string) => ({
  [oauth.allowInsecureRequests]: url.startsWith('http://'),
  signal: () => AbortSignal.timeout(ANSWER_WITHIN_MS),
})

/** @throws SondeError `config` when it has no sign-in for programs, `unavailable` when it does not answer. */
export async function discover(url: string): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(url)
  return explained(url, 'find the sign-in', async () => {
    const answer = await oauth.discoveryRequest(issuer, { ...optionsFor(url), algorithm: 'oauth2' })
    if (answer.status === 404)
      throw new SondeError('config', `${url} has no sign-in for programs`, {
        operation: 'find the sign-in',
        subject: url,
        hint: 'make a token on your account page and give it to "sonde login --token"; check that --url is a Sonde',
      })
    return oauth.processDiscoveryResponse(issuer, answer)
  })
}

/** As what the program is known to the server. Returns its id. @throws SondeError */
export async function register(
  url: string,
  server: oauth.AuthorizationServer,
  redirectUri: string,
): Promise<string> {
  const metadata = {
    client_name: 'Sonde command line',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  }
  return explained(url, 'register the command line', async () => {
    const answer = await oauth.dynamicClientRegistrationRequest(server, metadata, optionsFor(url))
    return (await oauth.processDynamicClientRegistrationResponse(answer)).client_id
  })
}

export type CodeGrant = {
  readonly clientId: string
  readonly redirectUri: string
  readonly codeVerifier: string
  /** As `validateAuthResponse` gave them. */
  readonly callback: URLSearchParams
}

/** @throws SondeError */
export async function exchangeCode(
  url: string,
  server: oauth.AuthorizationServer,
  { clientId, redirectUri, codeVerifier, callback }: CodeGrant,
): Promise<BrowserLogin> {
  const client = { client_id: clientId }
  return explained(url, 'exchange the code', async () => {
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      callback,
      redirectUri,
      codeVerifier,
      optionsFor(url),
    )
    return loginOf(clientId, await oauth.processAuthorizationCodeResponse(server, client, answer))
  })
}

/** What the server forgot, or somebody ended: `forbidden`. @throws SondeError */
export async function refresh(url: string, login: BrowserLogin): Promise<BrowserLogin> {
  const { clientId, refreshToken } = login
  if (refreshToken === undefined) throw over(url)
  const server = await discover(url)
  const client = { client_id: clientId }
  return explained(url, 'renew the login', async () => {
    const answer = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.None(),
      refreshToken,
      optionsFor(url),
    )
    const renewed = loginOf(clientId, await oauth.processRefreshTokenResponse(server, client, answer))
    // A server may let the old refresh token stay, and says nothing of it then.
    return { ...login, ...renewed }
  })
}

/** Also ends what was made of it, as far as the server does. @throws SondeError */
export async function revoke(
  url: string,
  { clientId, accessToken, refreshToken }: BrowserLogin,
): Promise<void> {
  const server = await discover(url)
  await explained(url, 'revoke the login', async () => {
    for (const token of refreshToken === undefined ? [accessToken] : [refreshToken, accessToken])
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(server, { client_id: clientId }, oauth.None(), token, optionsFor(url)),
      )
  })
}

function loginOf(clientId: string, answer: oauth.TokenEndpointResponse): BrowserLogin {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresInSec, scope } = answer
  return {
    kind: 'oauth',
    clientId,
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(expiresInSec !== undefined && { expiresMs: Date.now() + expiresInSec * 1_000 }),
    ...(scope !== undefined && { scope }),
  }
}

const over = (url: string): SondeError =>
  new SondeError('forbidden', `the login of ${url} is over`, {
    operation: 'renew the login',
    subject: url,
    hint: 'run "sonde login" again',
  })

/** Errors of the library as ours: what the server refused, and that it did not answer. */
async function explained<Result>(
  url: string,
  operation: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SondeError) throw error
    if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError) {
      if (error.error === 'invalid_grant') throw over(url)
      const text = error.error_description ?? error.error
      throw new SondeError('forbidden', `${url} refuses to ${operation}: ${text}`, {
        operation,
        subject: url,
        hint: 'run "sonde login" again',
      })
    }
    const { message, cause } = error as Error
    const why = cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message
    throw new SondeError('unavailable', `${url}: cannot ${operation}: ${why}`, {
      operation,
      subject: url,
      cause: error,
      hint: 'is Sonde running, and is --url right?',
    })
  }
}
