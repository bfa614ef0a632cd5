/** One request to `/api/0`, with errors that say what to do. Tries again what may pass: the network, a restart. */
import { setTimeout as sleep } from 'node:timers/promises'
import { SondeError } from '@sonde/base/errors'

/** Which Sonde is asked, and with which token: from options, the environment, and the token itself. */
export type Server = {
  /** Without a trailing slash. */
  readonly url: string
  readonly org: string
  readonly token: string
}

type Given = {
  readonly text: (name: string) => string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Options win over the environment (`SONDE_…`, then the names that Sentry's tools read), both over what the token says.
 * Undefined: there is no token, so no server is asked. @throws SondeError `config`
 */
export function findServer({ text, env }: Given): Server | undefined {
  const from = (option: string, name: string): string | undefined =>
    [text(option), env[`SONDE_${name}`], env[`SENTRY_${name}`]].find(
      (value) => value !== undefined && value !== '',
    )
  const token = from('token', 'AUTH_TOKEN')
  if (token === undefined) return undefined
  const said = tokenFacts(token)
  const url = from('url', 'URL') ?? said.url
  const org = from('org', 'ORG') ?? said.org
  if (url === undefined) throw missing('--url', 'the address of your Sonde, such as https://sonde.example')
  if (org === undefined) throw missing('--org', 'the slug of the organization, as in the URLs of Sonde')
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw missing('--url', `"${url}" is no address`)
  if (said.org !== undefined && org !== said.org)
    throw missing('--org', `the token is of the organization ${said.org}, not of ${org}`)
  return { url: url.replace(/(?<!\/)\/+$/, ''), org, token }
}

/** `sntrys_<base64 of JSON>_<secret>`: says whose it is and where it was made. */
function tokenFacts(token: string): { readonly url: string | undefined; readonly org: string | undefined } {
  const [prefix, payload = '', secret] = token.split('_')
  const nothing = { url: undefined, org: undefined }
  if (prefix !== 'sntrys' || secret === undefined) return nothing
  try {
    const facts = JSON.parse(Buffer.from(payload, 'base64').toString()) as Record<string, unknown>
    const { url, org } = facts
    return { url: textOf(url), org: textOf(org) }
  } catch {
    return nothing
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const missing = (option: string, what: string): SondeError =>
  new SondeError('config', `${option}: ${what}`, { operation: 'find the server', subject: option })

/** Asks a Sonde whether it has what makes scripts with these debug ids readable. */
export type ServerState = { readonly state: 'readable' | 'broken' | 'missing'; readonly detail: string }

/** What one question may hold, `MAX_ASKED_IDS` of the server. */
const IDS_A_QUESTION = 1_000

/** By debug id. @throws SondeError */
export async function askServer(
  server: Server,
  debugIds: readonly string[],
): Promise<ReadonlyMap<string, ServerState>> {
  const states = new Map<string, ServerState>()
  const path = `/api/0/organizations/${encodeURIComponent(server.org)}/artifact-states/`
  for (let from = 0; from < debugIds.length; from += IDS_A_QUESTION) {
    const asked = debugIds.slice(from, from + IDS_A_QUESTION)
    const { artifacts } = await callServer<{ artifacts: (ServerState & { debugId: string })[] }>(
      server,
      path,
      { debugIds: asked },
    )
    for (const { debugId, state, detail } of artifacts) states.set(debugId, { state, detail })
  }
  return states
}

const TRIES = 4
const FIRST_WAIT_MS = 500
const ANSWER_WITHIN_MS = 120_000
/** What proxies and a restarting Sonde answer. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Posts it as JSON. @throws SondeError */
async function callServer<Answer>(server: Server, place: string, sent: unknown): Promise<Answer> {
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
async function once(server: Server, address: URL, sent: unknown): Promise<Response | string> {
  try {
    return await fetch(address, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(sent),
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
