/** An application on a person's machine that signs in: oauth4webapi, and a port that the browser comes back to. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as oauth from 'oauth4webapi'

/** Sonde has no certificate in tests. */
const HTTP = { [oauth.allowInsecureRequests]: true } as const

export type OauthClient = Awaited<ReturnType<typeof openOauthClient>>

export async function openOauthClient(url: string, name = 'Robot') {
  const back: URL[] = []
  const server = createServer((req, res) => {
    if (req.url?.startsWith('/callback')) back.push(new URL(req.url, redirectUri))
    res.end('Done. You can close this page.')
    server.emit('back')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  const issuer = new URL(url)
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...HTTP }),
  )
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      as,
      // Without the port, which is another one each time.
      { client_name: name, redirect_uris: ['http://127.0.0.1/callback'] },
      HTTP,
    ),
  )
  const none = oauth.None()
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const codeChallenge = await oauth.calculatePKCECodeChallenge(verifier)
  return {
    as,
    client,
    redirectUri,
    /** Where the browser is sent. */
    authorizeUrl(fields: Readonly<Record<string, string>> = {}): string {
      const address = new URL(as.authorization_endpoint ?? '')
      const query = {
        client_id: client.client_id,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'org:read project:read event:read',
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
        ...fields,
      }
      for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
      return address.href
    },
    /** With what the browser came back, once it did. */
    async answer(): Promise<URL> {
      if (back.length === 0) await once(server, 'back')
      const [came] = back
      if (!came) throw new Error('the browser came back to somewhere else')
      return came
    },
    async exchange(came: URL) {
      const params = oauth.validateAuthResponse(as, client, came, state)
      return oauth.processAuthorizationCodeResponse(
        as,
        client,
        await oauth.authorizationCodeGrantRequest(as, client, none, params, redirectUri, verifier, HTTP),
      )
    },
    async refresh(token: string) {
      const answer = await oauth.refreshTokenGrantRequest(as, client, none, token, HTTP)
      return oauth.processRefreshTokenResponse(as, client, answer)
    },
    async revoke(token: string): Promise<void> {
      await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, none, token, HTTP))
    },
    close: () => server.close(),
  }
}
