/** One request to `/api/0`, with errors that say what to do. Tries again what may pass: the network, a restart. */
import { setTimeout as sleep } from 'node:timers/promises'
import { SondeError } from '@sonde/base'
import type { Server } from './server-address.ts'

type Sent = { readonly json: unknown } | { readonly form: () => FormData } | undefined

const TRIES = 4
const FIRST_WAIT_MS = 500
const ANSWER_WITHIN_MS = 120_000
/** What proxies and a restarting Sonde answer. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** `place`: a path, or a whole address that the server gave. @throws SondeError */
export async function callServer<Answer>(server: Server, place: string, sent?: Sent): Promise<Answer> {
  const address = new URL(place, `${server.url}/`)
  // The token goes to the server that it is of, and nowhere else.
  if (address.origin !== new URL(server.url).origin)
    throw failed(server, place, `it names an address elsewhere: ${address.origin}`, 'check --url')
  for (let tried = 1; ; tried++) {
    const answer = await once(server, address, sent)
    const isLast = tried === TRIES
    if (typeof answer === 'string') {
      if (isLast) throw failed(server, address.pathname, answer, 'is Sonde running, and is --url right?')
    } else if (answer.ok) return (await bodyOf(answer)) as Answer
    else if (isLast || !PASSING.has(answer.status)) throw await refused(server, address.pathname, answer)
    await sleep(FIRST_WAIT_MS * 2 ** (tried - 1))
  }
}

/** A text: why there was no answer. */
async function once(server: Server, address: URL, sent: Sent): Promise<Response | string> {
  const headers: Record<string, string> = { authorization: `Bearer ${server.token}` }
  let body: string | FormData | undefined
  if (sent && 'json' in sent) {
    headers['content-type'] = 'application/json'
    body = JSON.stringify(sent.json)
  } else if (sent) body = sent.form()
  try {
    return await fetch(address, {
      method: sent ? 'POST' : 'GET',
      headers,
      ...(body === undefined ? {} : { body }),
      // A redirect would turn a POST into a GET; an address with http instead of https is told instead.
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
  } catch (error) {
    const { message, cause } = error as Error
    return cause instanceof Error ? `${message}: ${cause.message}` : message
  }
}

async function bodyOf(answer: Response): Promise<unknown> {
  const text = await answer.text()
  return text === '' ? {} : JSON.parse(text)
}

async function refused(server: Server, path: string, answer: Response): Promise<SondeError> {
  const { status } = answer
  const said = (await answer.text()).slice(0, 2_000)
  if (status >= 300 && status < 400)
    return failed(
      server,
      path,
      `it leads to ${answer.headers.get('location') ?? 'another address'}`,
      'use that as --url',
    )
  const detail = detailOf(said)
  if (status === 401)
    return failed(server, path, `the token is not known (${detail})`, 'make a new one; it is shown once')
  if (status === 403)
    return failed(
      server,
      path,
      `the token may not do this (${detail})`,
      'make one for source maps, scope org:ci',
    )
  if (status === 404)
    return failed(
      server,
      path,
      `there is no such thing (${detail})`,
      'check --org and --project, and that --url is a Sonde',
    )
  return failed(server, path, `it answers ${status}: ${detail}`, undefined)
}

/** `{"detail": …}`, as all of `/api/0` says what is wrong. */
function detailOf(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown }
    return typeof detail === 'string' ? detail : JSON.stringify(detail ?? text)
  } catch {
    return text.replace(/\s+/g, ' ').slice(0, 200)
  }
}

const failed = (server: Server, path: string, what: string, hint: string | undefined): SondeError =>
  new SondeError('unavailable', `${server.url}${path}: ${what}`, {
    operation: 'call Sonde',
    subject: server.url,
    ...(hint === undefined ? {} : { hint }),
  })
