/**
 * `GET /api/0/organizations/{org}/live/?project=…`: server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html)
 * that say which issues changed, and `GET /api/0/inbox/live/`, which tells a person of the own inbox alone. Who may listen is asked again with every beat of the stream, and at once when somebody lost access: it ends with the session,
 * the token, the membership, or a team's project.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Access, actorOf, type Viewer } from '@sonde/access'
import { z } from 'zod'
import { type ApiContext, type ApiOptions, pathParam, refusal } from '../api-context.ts'
import { viewerOf } from '../authenticate.ts'
import type { Api } from '../described-routes.ts'
import type { LiveListener } from '../live/live.ts'
import { media } from '../operation.ts'
import { texts } from '../query-schemas.ts'

/** Each costs a look-up. */
const MAX_PROJECTS = 20

const stream = media('text/event-stream', 'Server-sent events, without an end.')
const errors = { 429: 'Too many of one person.', 503: 'Sonde is restarting.' } as const

export function liveRoutes(api: Api, options: ApiOptions): void {
  const { live } = options
  if (!live) return
  const answer = (c: ApiContext, to: LiveListener): Response => {
    const opened = live.open(to)
    if (opened === 'too-many') return refuse(c, 429, 'Too many live connections; close another tab.')
    if (opened === 'stopping') return refuse(c, 503, 'Sonde is restarting.')
    return new Response(opened, {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        // For proxies that would collect the answer first: https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering
        'x-accel-buffering': 'no',
      },
    })
  }

  api.get(
    '/organizations/:org/live',
    {
      id: 'listen',
      summary: 'Hear which issues change',
      tag: 'Live',
      opens: 'event:read',
      query: z.object({ project: texts(`Slugs or ids of projects, at most ${MAX_PROJECTS}; none: all.`) }),
      answer: stream,
      errors,
    },
    async ({ c, query }) => {
      if (isForeignPage(c)) throw refusal(c, 403, FOREIGN)
      return answer(c, await listener(c, options, query.project ?? []))
    },
  )

  // On screens without a list of issues.
  api.get(
    '/inbox/live',
    {
      id: 'listenToInbox',
      summary: 'Hear of one’s own inbox',
      description: 'Only with a session: a token has no inbox.',
      tag: 'Live',
      answer: stream,
      errors,
    },
    ({ c }) => {
      const viewer = c.get('viewer')
      if (isForeignPage(c)) throw refusal(c, 403, FOREIGN)
      if (viewer.kind !== 'user') throw refusal(c, 403, 'Only a person has an inbox.')
      return answer(c, { ...NO_ISSUES, ...personOf(viewer, c.req.raw.headers, options.access) })
    },
  )
}

const FOREIGN = 'This must come from the same origin.'
/** No organization has it. */
const NO_ISSUES = { orgId: 0, projectIds: [] }

function personOf(
  viewer: Viewer,
  headers: Headers,
  access: Access,
): Pick<LiveListener, 'actor' | 'userId' | 'mayListen'> {
  return {
    actor: actorOf(viewer),
    userId: viewer.kind === 'user' ? viewer.userId : undefined,
    async mayListen() {
      const known = await viewerOf(access, headers)
      return known !== undefined && actorOf(known) === actorOf(viewer)
    },
  }
}

type Heard = Pick<LiveListener, 'orgId' | 'projectIds'>

async function listener(c: ApiContext, options: ApiOptions, asked: readonly string[]): Promise<LiveListener> {
  const viewer = c.get('viewer')
  const org = pathParam(c, 'org')
  const projects = asked.filter((project) => project !== '-1')
  const { headers } = c.req.raw
  const requested = { org, projects: projects.slice(0, MAX_PROJECTS) }
  const heard = await open(options.access, viewer, requested)
  return {
    ...personOf(viewer, headers, options.access),
    ...heard,
    async mayListen() {
      const known = await viewerOf(options.access, headers)
      if (known === undefined || actorOf(known) !== actorOf(viewer)) return false
      const still = await open(options.access, known, requested).catch(() => undefined)
      return still !== undefined && isDeepStrictEqual(still, heard)
    },
  }
}

/** `projects` are slugs or ids; none: all that the viewer sees of the organization. Throws like `openProject`. */
async function open(
  access: Access,
  viewer: Viewer,
  { org, projects }: { readonly org: string; readonly projects: readonly string[] },
): Promise<Heard> {
  if (projects.length === 0) {
    const { orgId, projects: seen } = await access.openOrg(viewer, org, 'event:read')
    return { orgId, projectIds: seen }
  }
  const scopes = await Promise.all(
    projects.map((project) => access.openProject(viewer, org, project, 'event:read')),
  )
  return { orgId: scopes[0]?.orgId ?? 0, projectIds: scopes.map((scope) => scope.projectId) }
}

/** A page elsewhere cannot read the stream, but could use up its reader's connections. */
function isForeignPage(c: ApiContext): boolean {
  const site = c.req.header('sec-fetch-site')
  return c.req.header('authorization') === undefined && site !== undefined && site !== 'same-origin'
}

function refuse(c: ApiContext, status: 429 | 503, detail: string): Response {
  c.header('retry-after', '10')
  return c.json({ detail }, status)
}
