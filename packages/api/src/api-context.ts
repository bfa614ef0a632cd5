import type { Access, Grant, Grants, Permission, Viewer } from '@sonde/access'
import { type Logger, SondeError } from '@sonde/base'
import type { CommandDeps, HookDeps } from '@sonde/commands'
import type { QueryDeps } from '@sonde/queries'
import type { Blobs } from '@sonde/stores'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { LiveFeed } from './live/live.ts'

/** What the API is built from; the composition root makes it. */
export type ApiOptions = {
  readonly access: Access
  readonly queries: QueryDeps
  readonly commands: CommandDeps
  /** Where attachments and recordings lie. */
  readonly blobs: Pick<Blobs, 'open' | 'get'>
  /** Under which browsers reach this Sonde: goes into links, and cookie-authorised changes must come from it. */
  readonly publicUrl: string
  /** Of Sonde, for the OpenAPI document. */
  readonly version?: string
  readonly trustedOrigins?: readonly string[]
  readonly logger: Logger
  /** Where a request came from, as the front saw it. */
  readonly clientAddress?: (headers: Headers) => string | undefined
  /** Without it nothing that channels send is taken. */
  readonly channels?: HookDeps['channels']
  /** Without it `…/live/` does not exist. */
  readonly live?: LiveFeed
  /** How much one caller may ask. Without it, as much as they like. */
  readonly limits?: ApiLimits
  /** Hands a user report to ingest. Without it none is taken. */
  readonly submitReport?: SubmitReport
}

/** 0: no bound of that kind. */
export type ApiLimits = {
  /** Requests of a token within one second of the clock. */
  readonly perSecond: number
  /** Of a token; a request counts until its answer begins, so that streams and downloads take no place. */
  readonly concurrent: number
}

export type SubmitReport = (
  key: { readonly projectId: number | string; readonly publicKey: string },
  report: Readonly<Record<'event_id' | 'name' | 'email' | 'comments', string>>,
) => Promise<
  | { readonly ok: true }
  | { readonly ok: false; readonly status: 400 | 401 | 403 | 413 | 429 | 503; readonly message: string }
>

export type ApiEnv = { Variables: { viewer: Viewer; grants: Grants } }
/** The path has these parameters: a route is registered for each name that its handler reads. */
export type ApiContext = Context<ApiEnv>

/** Throws when a route was written without it: a defect, so not a `SondeError`. */
export function pathParam(c: ApiContext, name: string): string {
  const value = c.req.param(name)
  if (value === undefined) throw new Error(`the route ${c.req.path} has no :${name}`)
  return value
}

/** What is not there, where a handler without an answer has to say so. */
export const notFound = (operation: string): SondeError =>
  new SondeError('not-found', 'there is none', { operation })

/** A refusal that no kind of error stands for. `headers` of `c` go with it. */
export const refusal = (c: ApiContext, status: ContentfulStatusCode, detail: string): HTTPException =>
  new HTTPException(status, { res: c.json({ detail }, status) })

/** 429, and when to come again. */
export function tooMany(c: ApiContext, waitSec: number): HTTPException {
  c.header('retry-after', String(waitSec))
  return refusal(c, 429, 'Too many requests.')
}

/** The permission check of a route below an organization's path. Throws like `openOrg`. */
export const orgGrant = <P extends Permission>(c: ApiContext, permission: P): Promise<Grant<P, 'org'>> =>
  c.get('grants').openOrg(pathParam(c, 'org'), permission)

export const projectGrant = <P extends Permission>(
  c: ApiContext,
  permission: P,
): Promise<Grant<P, 'project'>> =>
  c.get('grants').openProject(pathParam(c, 'org'), pathParam(c, 'project'), permission)

/** For what is asked under both paths: issues, tags, releases. */
export function grantOfPath<P extends Permission>(
  c: ApiContext,
  permission: P,
): Promise<Grant<P, 'org' | 'project'>> {
  return c.req.param('project') === undefined ? orgGrant(c, permission) : projectGrant(c, permission)
}
