/** Signing in of applications by OAuth 2.1: what an organization's members connect. docs/decisions/0103-oauth.md */
import type { Clock } from '@sonde/base'
import type { Records } from '@sonde/stores'
import {
  answerUrl,
  type AuthorizeRequest,
  readAuthorizeRequest,
  type ReadAuthorize,
} from './authorize-request.ts'
import { type ClientIds, createClientIds } from './client-id.ts'
import { createOauthTokens, type OauthTokens } from './oauth-tokens.ts'

export type Oauth = OauthTokens & {
  /** Of the parsed body of a request. */
  register(body: unknown): ReturnType<ClientIds['register']>
  /** Of the query of the consent page. Reads nothing. */
  readRequest(params: URLSearchParams): ReadAuthorize
  /** Where the browser goes with the answer to a request. */
  answerUrl(request: AuthorizeRequest, answer: Readonly<Record<string, string>>): string
}

export type OauthDeps = {
  readonly records: Records
  readonly clock: Clock
  readonly secret: string
  readonly publicUrl: string
}

export function createOauth({ secret, ...deps }: OauthDeps): Oauth {
  const { clock, publicUrl } = deps
  const clients = createClientIds(secret)
  return {
    ...createOauthTokens(deps),
    register: (body) => clients.register(body, clock.nowMs()),
    readRequest: (params) => readAuthorizeRequest(clients, publicUrl, params),
    answerUrl: (request, answer) => answerUrl({ ...request, publicUrl }, answer),
  }
}
