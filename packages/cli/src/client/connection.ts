/** A Sonde as commands ask it: found by options, environment and login; lists are read page by page. */
import { SondeError } from '@sonde/base/errors'
import { type CommandInput, readProjectPath } from '../arguments.ts'
import { credentialsOf } from '../auth/fresh-token.ts'
import { loginPath, readLogins } from '../auth/login-file.ts'
import { type Answer, type Call, callServer, type Credentials } from './call-server.ts'
import { checkOrg, given, missing, plainAddress, tokenFacts } from './find-server.ts'

type Env = Readonly<Record<string, string | undefined>>

export type Connection = {
  /** Without a trailing slash. */
  readonly url: string
  /** @throws SondeError `config` when none was named. */
  readonly org: () => string
  /** Undefined: all projects of the organization. */
  readonly project: string | undefined
  readonly call: <Body>(call: Call) => Promise<Answer<Body>>
  /** Rows of a list, a page after the other, at most `max`. */
  readonly list: <Row>(call: Call, max: number) => Promise<readonly Row[]>
}

/** @throws SondeError `forbidden` when nobody is logged in, `config` for an address that is none. */
export function connect({ text }: Pick<CommandInput, 'text'>, env: Env = process.env): Connection {
  const from = { text, env }
  const { url, org: ofLogin, ofToken, credentials } = findAccess(from)
  const named = given(from, 'project', 'PROJECT')
  const path = named?.includes('/') ? readProjectPath(named) : undefined
  const org = path?.[0] ?? given(from, 'org', 'ORG') ?? ofToken ?? ofLogin
  if (org !== undefined) checkOrg(org, ofToken)
  const call = <Body>(one: Call): Promise<Answer<Body>> => callServer<Body>(url, credentials, one)
  return {
    url,
    org: () => needOrg(org),
    project: path?.[1] ?? named,
    call,
    list: (one, max) => listAll(call, one, max),
  }
}

/** For what is done without a token: the address and the organization, from the same places. @throws SondeError `config` */
export function connectWithoutToken(
  { text }: Pick<CommandInput, 'text'>,
  env: Env = process.env,
): Pick<Connection, 'url' | 'org'> {
  const from = { text, env }
  const { current, servers } = readLogins(loginPath(env))
  const named = given(from, 'url', 'URL')
  const url = named === undefined ? current : plainAddress(named)
  if (url === undefined) throw missing('--url', 'the address of your Sonde, such as https://sonde.example')
  const org = given(from, 'org', 'ORG') ?? servers[url]?.org
  return { url, org: () => needOrg(org) }
}

function needOrg(org: string | undefined): string {
  if (org === undefined)
    throw missing('--org', 'the slug of the organization, as in the URLs of Sonde; or set SONDE_ORG')
  return org
}

/** The project of a command that needs one. @throws SondeError `config` */
export function projectOf({ project }: Connection): string {
  if (project === undefined) throw missing('--project', 'the project, as PROJECT or ORG/PROJECT')
  return project
}

type Access = {
  readonly url: string
  readonly org?: string | undefined
  readonly ofToken?: string | undefined
  readonly credentials: Credentials
}

function findAccess(from: { readonly text: CommandInput['text']; readonly env: Env }): Access {
  const token = given(from, 'token', 'AUTH_TOKEN')
  const named = given(from, 'url', 'URL')
  if (token !== undefined) {
    const said = tokenFacts(token)
    const url = named ?? said.url
    // Not that of the login: a token goes to no server that nobody named for it.
    if (url === undefined)
      throw missing('--url', 'the address of the Sonde that the token is of; or set SONDE_URL')
    const credentials = { token: () => Promise.resolve(token), renew: () => Promise.resolve(undefined) }
    return { url: plainAddress(url), ofToken: said.org, credentials }
  }
  const path = loginPath(from.env)
  const { current, servers } = readLogins(path)
  const url = named === undefined ? current : plainAddress(named)
  const login = url === undefined ? undefined : servers[url]
  if (url === undefined || login === undefined)
    throw new SondeError('forbidden', url === undefined ? 'not logged in' : `not logged in to ${url}`, {
      operation: 'find the server',
      hint: `run "sonde login --url ${url ?? 'https://sonde.example'}", or set SONDE_URL and SONDE_AUTH_TOKEN`,
    })
  return {
    url,
    org: login.org,
    ofToken: login.kind === 'token' ? tokenFacts(login.token).org : undefined,
    credentials: credentialsOf(path, url),
  }
}

const PAGE_ROWS = 100

async function listAll<Row>(
  call: <Body>(one: Call) => Promise<Answer<Body>>,
  one: Call,
  max: number,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  let cursor: string | undefined
  do {
    const query = { ...one.query, per_page: String(Math.min(PAGE_ROWS, max - rows.length)), cursor }
    const { body, headers } = await call<readonly Row[]>({ ...one, query })
    rows.push(...body)
    cursor = nextCursor(headers.get('link') ?? '')
  } while (cursor !== undefined && rows.length < max)
  return rows.slice(0, max)
}

/** Of `<…>; rel="next"; results="true"; cursor="0:100:0"`. Undefined: that was the last page. */
function nextCursor(link: string): string | undefined {
  const next = link.split(/,\s*(?=<)/).find((part) => part.includes('rel="next"'))
  if (!next?.includes('results="true"')) return undefined
  return /cursor="([^"]{1,200})"/.exec(next)?.[1]
}
