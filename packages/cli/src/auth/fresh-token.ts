/** The token of a login, renewed before it ends and when the server refuses it; of several processes one renews. */
import type { Credentials } from '../client/call-server.ts'
import { type BrowserLogin, changeLogins, type Login, readLogins, withLogin } from './login-file.ts'
import { refresh } from './oauth-server.ts'

/** So that a token does not end on its way. */
const EARLY_MS = 30_000

export function credentialsOf(path: string, url: string): Credentials {
  const stored = (): Login | undefined => readLogins(path).servers[url]

  /** Only if `used` is still the one: whoever comes second takes what the first got. */
  const renewed = async (used: string): Promise<string | undefined> => {
    const { servers } = await changeLogins(path, async (logins) => {
      const login = logins.servers[url]
      if (login?.kind !== 'oauth' || login.accessToken !== used) return logins
      return withLogin(logins, url, await refresh(url, login))
    })
    const login = servers[url]
    return login?.kind === 'oauth' && login.accessToken !== used ? login.accessToken : undefined
  }

  return {
    async token() {
      const login = stored()
      if (login?.kind !== 'oauth') return login?.token ?? ''
      if (!isEnding(login)) return login.accessToken
      return (await renewed(login.accessToken)) ?? login.accessToken
    },
    renew: (refused) => (stored()?.kind === 'oauth' ? renewed(refused) : Promise.resolve(undefined)),
  }
}

const isEnding = ({ expiresMs, refreshToken }: BrowserLogin): boolean =>
  refreshToken !== undefined && expiresMs !== undefined && expiresMs - EARLY_MS < Date.now()
