/**
 * Where browsers go to and come from the sign-in provider of an organization: `/api/0/sso/{org}/…`. Nobody is signed in yet,
 * and whatever ends badly ends on a page that says what to do.
 */
import { type SsoIntent, type SsoPerson, SsoRefusal, type SsoReturn, type UserViewer } from '@sonde/access'
import { errorKind } from '@sonde/base'
import {
  admitSsoPerson,
  connectSsoPerson,
  InvalidInput,
  recordSsoFailure,
  recordSsoTest,
} from '@sonde/commands'
import { createPostLimit } from '@sonde/commands'
import type { MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { type ApiContext, type ApiEnv, type ApiOptions, pathParam, refusal, tooMany } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { API_BODY_BYTES, boundedBody } from '../json-body.ts'
import { media } from '../operation.ts'
import { text } from '../query-schemas.ts'

/** Of one address in a minute. An office shares one, and each sign-in takes three. */
const REQUESTS_A_MINUTE = 300

type Options = Pick<ApiOptions, 'access' | 'commands' | 'publicUrl' | 'clientAddress' | 'logger'>

/** Before all of them. */
export function ssoLimit({ commands, clientAddress }: Options): MiddlewareHandler<ApiEnv> {
  const waitFor = createPostLimit({
    postsAMinute: REQUESTS_A_MINUTE,
    nowMs: () => commands.clock.nowMs(),
  })
  return async (c, next) => {
    const waitSec = waitFor(clientAddress?.(c.req.raw.headers) ?? '')
    if (waitSec > 0) throw tooMany(c, waitSec)
    return next()
  }
}

export function ssoRoutes(api: Api, options: Options): void {
  const { access, commands, publicUrl } = options
  const addressOf = (c: ApiContext) => options.clientAddress?.(c.req.raw.headers)

  const failed = (c: ApiContext, reason: string, intent: SsoIntent, next?: string): Response => {
    const org = encodeURIComponent(pathParam(c, 'org'))
    const query = new URLSearchParams({ failed: reason, ...(next !== undefined && { next }) })
    const page = intent === 'test' ? `/${org}/settings/single-sign-on` : `/sign-in/sso/${org}`
    return c.redirect(`${publicUrl}${page}?${query}`, 303)
  }

  /** Throws what is no refusal. Who began nothing has nothing recorded: a stranger's guess is no failure. */
  const refused = async (c: ApiContext, error: unknown, back?: SsoReturn): Promise<Response> => {
    const flow = back?.flow
    if (back) c.header('set-cookie', back.clearCookie, { append: true })
    if (!(error instanceof SsoRefusal)) throw error
    options.logger.info({ org: pathParam(c, 'org'), reason: error.reason }, error.message)
    if (back && flow) await recordSsoFailure(commands, { ...back, address: addressOf(c) }, error)
    return failed(c, error.reason, flow?.intent ?? 'sign-in', flow?.next)
  }

  /** What comes after the protocol is the same for both. */
  const arrive = async (c: ApiContext, prove: (back: SsoReturn) => Promise<SsoPerson>): Promise<Response> => {
    const { headers } = c.req.raw
    let back: SsoReturn | undefined
    try {
      back = await access.sso.returned(pathParam(c, 'org'), headers)
      const person = await prove(back)
      const { connection, flow } = back
      const from = { connection, address: addressOf(c) }
      const intent = flow?.intent ?? 'sign-in'
      c.header('set-cookie', back.clearCookie, { append: true })
      if (intent === 'sign-in') {
        if (connection.is_on !== 1) throw new SsoRefusal('off', 'single sign-on was switched off meanwhile')
        const { userId } = await admitSsoPerson(commands, from, person)
        const clientAddress = from.address
        const cookies = await access.sso.startSession({ userId, headers, clientAddress }, connection)
        for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
        const next = new URLSearchParams(flow?.next === undefined ? {} : { next: flow.next })
        // It knows which paths are ours.
        return c.redirect(`${publicUrl}/sign-in?${next}`, 303)
      }
      const viewer = await sameViewer(options, headers, flow?.userId)
      const { orgSlug } = connection
      if (intent === 'connect') {
        await connectSsoPerson(commands, viewer, from, person)
        return c.redirect(`${publicUrl}/sign-in/sso/${encodeURIComponent(orgSlug)}?connected=yes`, 303)
      }
      await mayTest(options, viewer, orgSlug)
      await recordSsoTest(commands, viewer, from, person)
      const page = `/${encodeURIComponent(orgSlug)}/settings/single-sign-on`
      return c.redirect(`${publicUrl}${page}?saved=sso-tested`, 303)
    } catch (error) {
      return refused(c, error, back)
    }
  }

  api.get(
    '/sso/:org/start',
    {
      ...common,
      id: 'startSso',
      summary: 'Go to the sign-in provider of an organization',
      query: z.object({
        next: text('A path to go to afterwards.'),
        intent: text('`test` or `connect`, else a sign-in.'),
        proof: text('Of the password, to connect.'),
        from: text('`provider`: it sent the browser here unasked.'),
      }),
      answer: page,
      status: 302,
    },
    async ({ c }) => {
      const orgSlug = pathParam(c, 'org')
      const { headers } = c.req.raw
      const { next, proof, intent: asked, from } = c.req.query()
      const intent = asked === 'test' || asked === 'connect' ? asked : 'sign-in'
      try {
        const isFromProvider = from === 'provider'
        // It sent the browser here unasked, was asked, and did so again.
        const old = isFromProvider ? await access.sso.returned(orgSlug, headers) : undefined
        if (old?.flow?.isFromProvider === true)
          throw new SsoRefusal('expired', 'the provider does not answer what it is asked')
        const viewer = intent === 'sign-in' ? undefined : await access.viewerFromCookies(headers)
        const sent = await access.sso.begin({ orgSlug, intent, viewer, proof, next, isFromProvider })
        for (const cookie of sent.setCookies) c.header('set-cookie', cookie, { append: true })
        return c.redirect(sent.location, 302)
      } catch (error) {
        if (!(error instanceof SsoRefusal)) throw error
        options.logger.info({ org: orgSlug, reason: error.reason }, error.message)
        // Of a setup that does not work; what was asked for wrongly here is nothing for owners.
        if (error.reason !== 'off' && error.reason !== 'other-person' && error.reason !== 'expired') {
          const { connection } = await access.sso.returned(orgSlug, headers)
          await recordSsoFailure(commands, { connection, address: addressOf(c) }, error)
        }
        return failed(c, error.reason, intent, next)
      }
    },
  )

  api.get(
    '/sso/:org/callback',
    {
      ...common,
      id: 'finishOidc',
      summary: 'Come back from an OpenID Connect provider',
      answer: page,
      status: 303,
    },
    ({ c }) => arrive(c, (back) => access.sso.finishOidc(back, new URL(c.req.url).search)),
  )

  // From the provider's page, so without our cookie: the browser comes for what was posted with it.
  api.post(
    '/sso/:org/acs',
    {
      ...common,
      id: 'takeSamlResponse',
      summary: 'Take the answer of a SAML provider',
      body: media('application/x-www-form-urlencoded', 'The answer.', z.object({ SAMLResponse: z.string() })),
      answer: page,
      status: 303,
    },
    async ({ c }) => {
      const orgSlug = pathParam(c, 'org')
      try {
        const { location } = await access.sso.takeSaml(orgSlug, await postedResponse(c))
        return c.redirect(location, 303)
      } catch (error) {
        if (!(error instanceof SsoRefusal) || error.reason === 'off') return refused(c, error)
        const { connection } = await access.sso.returned(orgSlug, c.req.raw.headers)
        await recordSsoFailure(commands, { connection, address: addressOf(c) }, error)
        return refused(c, error)
      }
    },
  )

  api.get(
    '/sso/:org/finish',
    {
      ...common,
      id: 'finishSaml',
      summary: 'Come back from a SAML provider',
      query: z.object({ ticket: text('Of what was taken.') }),
      answer: page,
      status: 303,
    },
    ({ c, query }) => arrive(c, (back) => access.sso.finishSaml(back, query.ticket ?? '')),
  )

  api.get(
    '/sso/:org/metadata',
    {
      ...common,
      id: 'getSamlMetadata',
      summary: 'Read what a SAML provider has to know',
      answer: media('application/samlmetadata+xml', 'The metadata.'),
    },
    async ({ c, params }) => {
      const xml = await access.sso.metadata(params.org)
      if (xml === undefined) throw refusal(c, 404, 'The requested resource does not exist')
      return c.body(xml, 200, { 'content-type': 'application/samlmetadata+xml' })
    },
  )
}

const common = { tag: 'Links', isPublic: true, errors: { 429: 'Too many requests.' } } as const
const page = media('text/html', 'The address of the next page.')

async function postedResponse(c: ApiContext): Promise<string> {
  const tooLong = () =>
    new InvalidInput('read the body', { detail: [`an answer has at most ${API_BODY_BYTES.saml} bytes`] })
  const pieces: Buffer[] = []
  for await (const piece of boundedBody(c, API_BODY_BYTES.saml, tooLong)) pieces.push(piece)
  return new URLSearchParams(Buffer.concat(pieces).toString('utf8')).get('SAMLResponse') ?? ''
}

async function sameViewer(
  { access }: Options,
  headers: Headers,
  userId: string | undefined,
): Promise<UserViewer> {
  const viewer = await access.viewerFromCookies(headers)
  if (viewer && viewer.userId === userId) return viewer
  throw new SsoRefusal('other-person', 'whoever began this is not signed in any more')
}

async function mayTest({ access }: Options, viewer: UserViewer, orgSlug: string): Promise<void> {
  try {
    await access.openOrg(viewer, orgSlug, 'org:write')
  } catch (error) {
    const kind = errorKind(error)
    if (kind !== 'forbidden' && kind !== 'not-found') throw error
    throw new SsoRefusal('other-person', 'who tests it is no owner any more', error)
  }
}
