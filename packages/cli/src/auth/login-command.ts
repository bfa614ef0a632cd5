/** `sonde login`, `logout` and `whoami`. */
import { SondeError } from '@sonde/base/errors'
import open from 'open'
import { type CommandInput, UsageError } from '../arguments.ts'
import { callServer, type Credentials } from '../client/call-server.ts'
import { connect } from '../client/connection.ts'
import { given, missing, plainAddress, tokenFacts } from '../client/find-server.ts'
import { momentText } from '../client/time-text.ts'
import { note, print } from '../print.ts'
import { readSecret } from '../read-secret.ts'
import { logInByBrowser } from './browser-login.ts'
import { changeLogins, type Login, loginPath, readLogins, withLogin, withoutLogin } from './login-file.ts'
import { revoke } from './oauth-server.ts'

/** What the commands of this program need; what a person or the server takes away, the token does not have. */
const LOGIN_SCOPES = [
  'org:read',
  'member:read',
  'project:read',
  'project:releases',
  'event:read',
  'event:write',
] as const

/** `GET /api/0/` */
type Account = {
  readonly auth: { readonly scopes: readonly string[] } | null
  readonly user: { readonly email: string; readonly name: string } | null
  readonly organizations: readonly string[]
}

export async function login(input: CommandInput): Promise<number> {
  const { text, flag } = input
  const path = loginPath(process.env)
  const made = flag('token') ? await pasted(input) : await byBrowser(input)
  const token = made.login.kind === 'token' ? made.login.token : made.login.accessToken
  const { organizations } = await account(made.url, fixed(token))
  const org = text('org') ?? (organizations.length === 1 ? organizations[0] : undefined)
  if (org !== undefined && !organizations.includes(org))
    throw missing('--org', `the login sees ${organizations.join(', ') || 'no organization'}, not ${org}`)
  const kept: Login = { ...made.login, ...(org !== undefined && { org }) }
  await changeLogins(path, (logins) => ({ ...withLogin(logins, made.url, kept), current: made.url }))
  if (flag('json')) print(JSON.stringify({ url: made.url, kind: kept.kind, org: org ?? null, organizations }))
  else {
    print(`Logged in to ${made.url}. Organizations: ${organizations.join(', ') || 'none'}.`)
    if (org === undefined && organizations.length > 1)
      note('Name one with --org or SONDE_ORG, or log in again with --org to keep it.')
  }
  return 0
}

type Made = { readonly url: string; readonly login: Login }

async function pasted({ text }: CommandInput): Promise<Made> {
  const token = (await readSecret({ name: 'Token', option: '--token', maxChars: 2_000 })).trim()
  if (!/^\S{8,}$/.test(token)) throw new UsageError('--token: what came in is no token')
  return { url: urlOf(text, tokenFacts(token).url), login: { kind: 'token', token } }
}

async function byBrowser({ text, flag }: CommandInput): Promise<Made> {
  const url = urlOf(text, readLogins(loginPath(process.env)).current)
  const made = await logInByBrowser({
    url,
    scopes: LOGIN_SCOPES,
    async show(address) {
      note(`To log in, open this address in a browser on this machine:\n\n  ${address}\n`)
      if (flag('no-browser')) return
      // Where there is no browser, the address is there to read.
      const opened = await open(address).catch(() => undefined)
      opened?.once('error', () => undefined)
    },
  })
  return { url, login: made }
}

function urlOf(text: CommandInput['text'], otherwise: string | undefined): string {
  const url = given({ text, env: process.env }, 'url', 'URL') ?? otherwise
  if (url === undefined) throw missing('--url', 'the address of your Sonde, such as https://sonde.example')
  return plainAddress(url)
}

const fixed = (token: string): Credentials => ({
  token: () => Promise.resolve(token),
  renew: () => Promise.resolve(undefined),
})

const account = async (url: string, credentials: Credentials): Promise<Account> =>
  (await callServer<Account>(url, credentials, { path: '/api/0/' })).body

export async function logout({ text, flag }: CommandInput): Promise<number> {
  const path = loginPath(process.env)
  const { current, servers } = readLogins(path)
  const named = given({ text, env: process.env }, 'url', 'URL')
  const url = named === undefined ? current : plainAddress(named)
  const stored = url === undefined ? undefined : servers[url]
  if (url === undefined || stored === undefined)
    throw new SondeError('not-found', url === undefined ? 'not logged in' : `not logged in to ${url}`, {
      operation: 'log out',
    })
  let isRevoked = false
  let trouble: SondeError | undefined
  // Held, so that nobody renews it meanwhile. Forgotten here whatever the server says: who logs out wants it gone.
  await changeLogins(path, async (logins) => {
    const now = logins.servers[url]
    if (now?.kind === 'oauth')
      await revoke(url, now).then(
        () => (isRevoked = true),
        (error: unknown) => {
          if (!(error instanceof SondeError)) throw error
          trouble = error
        },
      )
    return withoutLogin(logins, url)
  })
  if (flag('json')) print(JSON.stringify({ url, revoked: isRevoked }))
  else print(`Logged out of ${url}.`)
  if (stored.kind === 'token')
    note('The token itself still works: revoke it in Sonde when nothing else uses it.')
  if (trouble) note(`Sonde did not end the login: ${trouble.message}. End it on your account page.`)
  return trouble === undefined ? 0 : 1
}

export async function whoami(input: CommandInput): Promise<number> {
  const connection = connect(input)
  const { body } = await connection.call<Account>({ path: '/api/0/' })
  const { user, auth, organizations } = body
  const isGiven = given({ text: input.text, env: process.env }, 'token', 'AUTH_TOKEN') !== undefined
  const stored = isGiven ? undefined : readLogins(loginPath(process.env)).servers[connection.url]
  const expiresMs = stored?.kind === 'oauth' ? stored.expiresMs : undefined
  const answer = {
    url: connection.url,
    login: stored?.kind ?? 'given',
    user: user && { email: user.email, name: user.name },
    scopes: auth?.scopes ?? null,
    organizations,
    expires: expiresMs === undefined ? null : new Date(expiresMs).toISOString(),
  }
  if (input.flag('json')) {
    print(JSON.stringify(answer))
    return 0
  }
  const who = user ? `${user.name} <${user.email}>` : 'A token'
  print(
    [
      `${who} at ${connection.url}`,
      `organizations  ${organizations.join(', ') || 'none'}`,
      ...(auth ? [`scopes         ${auth.scopes.join(', ')}`] : []),
      ...(answer.expires === null ? [] : [`renewed        ${momentText(answer.expires)}`]),
    ].join('\n'),
  )
  return 0
}
