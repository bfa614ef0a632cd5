/**
 * Where `sonde login` keeps what it got: one file in the configuration folder of its user, which nobody else may read. Tokens by
 * the address of their Sonde.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { SondeError } from '@sonde/base/errors'
import { withFileLock } from './file-lock.ts'

/** A token that somebody pasted. */
export type PastedLogin = { readonly kind: 'token'; readonly token: string; readonly org?: string }
/** What the browser brought: the refresh token is used once and exchanged for the next one. */
export type BrowserLogin = {
  readonly kind: 'oauth'
  readonly clientId: string
  readonly accessToken: string
  readonly refreshToken?: string
  /** Unix milliseconds; absent: the server does not say. */
  readonly expiresMs?: number
  readonly scope?: string
  readonly org?: string
}
export type Login = PastedLogin | BrowserLogin

export type Logins = {
  /** The Sonde that is asked when no address is given: the last one that was logged in to. */
  readonly current?: string
  readonly servers: Readonly<Record<string, Login>>
}

type Env = Readonly<Record<string, string | undefined>>

/** https://specifications.freedesktop.org/basedir-spec/latest/; on Windows the folder for settings. */
export function loginPath(env: Env): string {
  const own = env['SONDE_CONFIG_DIR']
  if (own) return join(own, 'logins.json')
  const windows = process.platform === 'win32' ? env['APPDATA'] : undefined
  return join(env['XDG_CONFIG_HOME'] || windows || join(homedir(), '.config'), 'sonde', 'logins.json')
}

/** Nothing where there is no file. @throws SondeError `config` for one that cannot be read. */
export function readLogins(path: string): Logins {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return { servers: {} }
    throw unreadable(path, cause)
  }
  try {
    const { current, servers } = JSON.parse(text) as Partial<Logins>
    return { ...(typeof current === 'string' && { current }), servers: { ...servers } }
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

/** Reads, changes and writes while no other process does. `change` may ask the server. Returns what was written. */
export async function changeLogins(
  path: string,
  change: (logins: Logins) => Logins | Promise<Logins>,
): Promise<Logins> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return withFileLock(`${path}.lock`, async () => {
    const changed = await change(readLogins(path))
    // Beside it, then renamed: a crash leaves the old one or the new one, whole.
    const draft = `${path}.new`
    writeFileSync(draft, `${JSON.stringify(changed, null, 2)}\n`, { mode: 0o600 })
    // An existing draft keeps its mode.
    chmodSync(draft, 0o600)
    renameSync(draft, path)
    return changed
  })
}

export function withLogin({ servers, ...logins }: Logins, url: string, login: Login): Logins {
  return { ...logins, servers: { ...servers, [url]: login } }
}

export function withoutLogin({ current, servers }: Logins, url: string): Logins {
  const left = Object.fromEntries(Object.entries(servers).filter(([at]) => at !== url))
  const [first] = Object.keys(left)
  const next = current === url ? first : current
  return { ...(next !== undefined && { current: next }), servers: left }
}

const unreadable = (path: string, cause: unknown): SondeError =>
  new SondeError('config', `${path} cannot be read: ${(cause as Error).message}`, {
    operation: 'read the logins',
    subject: path,
    cause,
    hint: 'repair it, or remove it and log in again',
  })
