/**
 * Logging in by the browser: an authorization code with PKCE, which comes back to a server of ours on the loopback address
 * (RFC 8252, section 7.3). Nothing that is typed in the browser is seen here.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SondeError } from '@sonde/base/errors'
import * as oauth from 'oauth4webapi'
import type { BrowserLogin } from './login-file.ts'
import { discover, exchangeCode, register } from './oauth-server.ts'

export type BrowserLoginOptions = {
  /** Of the Sonde, without a trailing slash. */
  readonly url: string
  readonly scopes: readonly string[]
  /** Opens the address, or shows it. */
  readonly show: (address: string) => void | Promise<void>
  readonly waitMs?: number
  readonly signal?: AbortSignal
}

const WAIT_MS = 5 * 60_000

/** @throws SondeError `forbidden` when the person declines, `unavailable` when nobody comes back in time. */
export async function logInByBrowser(options: BrowserLoginOptions): Promise<BrowserLogin> {
  const { url, scopes, show } = options
  const server = await discover(url)
  if (server.authorization_endpoint === undefined)
    throw new SondeError('config', `${url} names no page to sign in`, { operation: 'log in', subject: url })
  const loopback = await openLoopback()
  try {
    const { redirectUri } = loopback
    const clientId = await register(url, server, redirectUri)
    const [codeVerifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()]
    const known = server.scopes_supported
    const address = new URL(server.authorization_endpoint)
    const asked = {
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: scopes.filter((scope) => known?.includes(scope) ?? true).join(' '),
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
    }
    for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value)
    const answered = loopback.answer(options)
    await show(address.href)
    const { params, page } = await answered
    try {
      const callback = oauth.validateAuthResponse(server, { client_id: clientId }, params, state)
      const login = await exchangeCode(url, server, { clientId, redirectUri, codeVerifier, callback })
      answerPage(page, 'Logged in', 'The command line is logged in. You can close this tab.')
      return login
    } catch (error) {
      answerPage(page, 'Not logged in', 'The command line says why. You can close this tab.')
      if (!(error instanceof oauth.AuthorizationResponseError)) throw error
      throw new SondeError('forbidden', `not logged in: ${error.error_description ?? error.error}`, {
        operation: 'log in',
        subject: url,
        hint: 'run "sonde login" again',
      })
    }
  } finally {
    loopback.close()
  }
}

type Callback = { readonly params: URLSearchParams; readonly page: ServerResponse }

const PATH = '/callback'

/** On a port that the system gives, on the loopback address alone: no other machine reaches it. */
async function openLoopback() {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const redirectUri = `http://127.0.0.1:${port}${PATH}`

  /** The first that comes with a code or an error; anything else is answered with 404. */
  const answer = ({ url, waitMs = WAIT_MS, signal }: BrowserLoginOptions): Promise<Callback> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(nobodyCame(url, waitMs)), waitMs)
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      server.on('request', (request, response) => {
        const { pathname, searchParams } = new URL(request.url ?? '/', redirectUri)
        const isOurs = pathname === PATH && (searchParams.has('code') || searchParams.has('error'))
        if (!isOurs || request.method !== 'GET') {
          response.writeHead(404).end()
          return
        }
        clearTimeout(timer)
        resolve({ params: searchParams, page: response })
      })
      server.once('close', () => clearTimeout(timer))
    })
  const close = (): void => {
    server.close()
    server.closeIdleConnections()
  }
  return { redirectUri, answer, close }
}

function answerPage(page: ServerResponse, title: string, text: string): void {
  page.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'no-store',
    // The address has the code; it is used up, and belongs into nobody's log.
    'referrer-policy': 'no-referrer',
    connection: 'close',
  })
  page.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><style>:root{color-scheme:light dark}body{font:16px system-ui;margin:20vh auto;max-width:30em;padding:0 1em}</style><h1>${title}</h1><p>${text}</p></html>`,
  )
}

const nobodyCame = (url: string, waitMs: number): SondeError =>
  new SondeError('unavailable', `nobody came back from the browser within ${waitMs / 1_000} seconds`, {
    operation: 'log in',
    subject: url,
    hint: 'run "sonde login" again; where no browser reaches this machine, make a token and use "sonde login --token"',
  })
