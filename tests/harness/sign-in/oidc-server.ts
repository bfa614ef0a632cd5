/**
 * A real OpenID provider on this machine (`oidc-provider`), with people and groups, and with its own pages to sign in: the
 * name alone, any password. Its keys can be changed while it runs.
 */
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export type OidcPerson = {
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
  readonly groups?: readonly string[]
}

export type OidcServer = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** By what they type as their name there, which is their id too. */
  readonly people: Map<string, OidcPerson>
  /** From now on it signs with another key, and no longer offers the one before. */
  changeKeys(): void
  close(): Promise<void>
}

export async function startOidcServer(redirectUris: readonly string[]): Promise<OidcServer> {
  const people = new Map<string, OidcPerson>()
  let answer: ReturnType<Provider['callback']> | undefined
  const server = createServer((req, res) => void answer?.(req, res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [clientId, clientSecret] = ['sonde', 'a secret that only the two know']
  const changeKeys = (): void => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const kid = `key-${Date.now()}-${Math.random()}`
    answer = providerOf({ ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' }).callback()
  }
  const providerOf = (key: object): Provider => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [...redirectUris],
          scope: 'openid email profile groups',
        },
      ],
      jwks: { keys: [key] },
      cookies: { keys: ['of this test alone'] },
      scopes: ['openid', 'email', 'profile', 'groups'],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      findAccount: (_, id) =>
        people.has(id) ? { accountId: id, claims: () => ({ sub: id, ...people.get(id) }) } : undefined,
      // Whoever signs in there has agreed to everything.
      async loadExistingGrant(ctx) {
        const grant = new ctx.oidc.provider.Grant({
          clientId: ctx.oidc.client?.clientId ?? '',
          accountId: ctx.oidc.session?.accountId ?? '',
        })
        grant.addOIDCScope('openid email profile groups')
        await grant.save()
        return grant
      },
      pkce: { required: () => true },
      ttl: {
        Session: 600,
        Grant: 600,
        Interaction: 600,
        IdToken: 600,
        AccessToken: 600,
        AuthorizationCode: 60,
      },
    })
    return provider
  }
  changeKeys()
  return {
    issuer,
    clientId,
    clientSecret,
    people,
    changeKeys,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
