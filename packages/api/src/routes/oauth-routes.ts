/**
 * What applications ask that sign in by OAuth: registration (RFC 7591), tokens (RFC 6749), revocation (RFC 7009). No cookie is
 * read here, so pages of any origin may ask.
 */
import { createPostLimit, InvalidInput } from '@sonde/commands'
import type { Hono, MiddlewareHandler } from 'hono'
import { z } from 'zod'
import type { ApiContext, ApiEnv, ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { API_BODY_BYTES, boundedBody } from '../json-body.ts'
import { media } from '../operation.ts'

/** Of one address in a minute. An office shares one; a program asks once an hour. */
const REQUESTS_A_MINUTE = 120

type Options = Pick<ApiOptions, 'access' | 'commands' | 'clientAddress'>

/** `hono`: for what browsers ask before they post. */
export function oauthRoutes(
  api: Api,
  { access, commands, clientAddress }: Options,
  hono: Hono<ApiEnv>,
): void {
  const waitFor = createPostLimit({
    postsAMinute: REQUESTS_A_MINUTE,
    nowMs: () => commands.clock.nowMs(),
  })
  const addressOf = (c: ApiContext) => clientAddress?.(c.req.raw.headers)
  /** As the errors of OAuth are, which the errors of the API are not. */
  const refused = (c: ApiContext, status: 400 | 413 | 429, error: string, error_description: string) =>
    c.json({ error, error_description }, status)
  const tooLong = (): InvalidInput => new InvalidInput('read the body', { body: ['is too long'] })

  const fromAnywhere: MiddlewareHandler<ApiEnv> = async (c, next) => {
    c.header('access-control-allow-origin', '*')
    c.header('access-control-allow-methods', 'POST')
    c.header('access-control-allow-headers', 'authorization, content-type, mcp-protocol-version')
    if (c.req.method === 'OPTIONS') return c.body(null, 204)
    const waitSec = waitFor(addressOf(c) ?? '')
    if (waitSec <= 0) return next()
    c.header('retry-after', String(waitSec))
    return refused(c, 429, 'temporarily_unavailable', 'Too many requests.')
  }

  /** Undefined: too long; what is behind the bound was not read. */
  const bodyText = async (c: ApiContext): Promise<string | undefined> => {
    const pieces: Buffer[] = []
    try {
      for await (const piece of boundedBody(c, API_BODY_BYTES.oauth, tooLong)) pieces.push(piece)
    } catch (error) {
      if (error instanceof InvalidInput) return undefined
      throw error
    }
    return Buffer.concat(pieces).toString('utf8')
  }
  const withForm = async (
    c: ApiContext,
    answer: (form: URLSearchParams) => Promise<Response>,
  ): Promise<Response> => {
    const text = await bodyText(c)
    if (text === undefined) return refused(c, 413, 'invalid_request', 'The body is too long.')
    if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? ''))
      return refused(c, 400, 'invalid_request', 'The body is application/x-www-form-urlencoded.')
    return answer(new URLSearchParams(text))
  }

  hono.use('/oauth/*', fromAnywhere)

  const json = media('application/json', 'As the standard says; errors are `{error, error_description}`.')
  const form = media(
    'application/x-www-form-urlencoded',
    'As the standard says.',
    z.record(z.string(), z.string()),
  )
  const described = {
    tag: 'Links',
    isPublic: true,
    errors: { 413: 'The body is too long.', 429: 'Too many requests.' },
  } as const

  api.post(
    '/oauth/register',
    {
      ...described,
      id: 'registerOauthClient',
      summary: 'Register an application (RFC 7591)',
      body: media(
        'application/json',
        'Client metadata.',
        z
          .looseObject({ redirect_uris: z.array(z.string()), client_name: z.string().optional() })
          .meta({ description: 'RFC 7591, 2, says the other fields.' }),
      ),
      answer: json,
      status: 201,
    },
    async ({ c }) => {
      const text = await bodyText(c)
      if (text === undefined) return refused(c, 413, 'invalid_client_metadata', 'The body is too long.')
      const answer = access.oauth.register(parsed(text))
      return c.json(answer, 'error' in answer ? 400 : 201)
    },
  )

  api.post(
    '/oauth/token',
    {
      ...described,
      id: 'exchangeOauthToken',
      summary: 'Exchange a code or a refresh token (RFC 6749)',
      body: form,
      answer: json,
    },
    ({ c }) =>
      withForm(c, async (posted) => {
        const answer = await access.oauth.exchange(posted, addressOf(c))
        return c.json(answer, 'error' in answer ? 400 : 200)
      }),
  )

  api.post(
    '/oauth/revoke',
    {
      ...described,
      id: 'revokeOauthToken',
      summary: 'Revoke a connection (RFC 7009)',
      body: form,
      answer: json,
    },
    ({ c }) =>
      withForm(c, async (posted) => {
        await access.oauth.revoke(posted, addressOf(c))
        return c.json({})
      }),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
