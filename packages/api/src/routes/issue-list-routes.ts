/** Issues of a project or an organization: reading, and changing many at once. */
import type { Grant } from '@sonde/access'
import {
  InvalidInput,
  OPEN_SUBSTATUSES,
  type Resolution,
  updateIssues,
  type UpdateIssuesInput,
} from '@sonde/commands'
import { DEFAULT_QUERY, listIssues, matchingIssueIds, MAX_HITS, MAX_MATCHING } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, grantOfPath } from '../api-context.ts'
import { jsonBody, type JsonBody } from '../json-body.ts'
import { setLink } from '../paging.ts'
import { issueListParams } from '../request-params.ts'
import { issueListJson } from '../serializers/issue.ts'

// The states that clients of Sentry's API send.

/** `muted` is what sentry-cli 2 calls `ignored`. */
const STATUSES: ReadonlyMap<string, UpdateIssuesInput['status']> = new Map([
  ['resolved', 'resolved'],
  ['resolvedInNextRelease', 'resolved'],
  ['ignored', 'ignored'],
  ['muted', 'ignored'],
  ['archived', 'ignored'],
  ['unresolved', 'unresolved'],
])

/** Undefined when the body asks for no change of state. An unknown one goes to the command, which says what is allowed. */
export function statusFrom(body: JsonBody): UpdateIssuesInput['status'] | undefined {
  const text = body.text('status')
  return text === undefined ? undefined : (STATUSES.get(text) ?? (text as UpdateIssuesInput['status']))
}

/**
 * `substatus` of a change to unresolved, as an answer said it: what was changed by mistake can be put back exactly. How
 * long an issue is archived, which clients say there too, is not for us to choose between: we have one way.
 */
export function substatusFrom(body: JsonBody): UpdateIssuesInput['substatus'] {
  if (statusFrom(body) !== 'unresolved') return undefined
  return OPEN_SUBSTATUSES.find((known) => known === body.text('substatus'))
}

/** Whether `statusFrom` knew it. */
const isStatus = (status: string): boolean => STATUSES.has(status)

/**
 * `statusDetails` of a change to resolved: `{inRelease: "1.0" or "latest"}`, `{inNextRelease: true}`,
 * `{inCommit: {commit, repository}}`. Undefined: resolved at once. Throws `InvalidInput` for what is none of these.
 */
export function resolutionFrom(body: JsonBody): Resolution | undefined {
  if (body.text('status') === 'resolvedInNextRelease') return { kind: 'next_release' }
  const details = new Map(Object.entries(body.value('statusDetails') ?? {}) as [string, unknown][])
  const version = details.get('inRelease')
  if (typeof version === 'string') return { kind: 'release', version }
  if (details.get('inNextRelease') === true || details.get('inUpcomingRelease') === true)
    return { kind: 'next_release' }
  const inCommit = details.get('inCommit')
  if (inCommit === undefined && version === undefined) return undefined
  const { commit: sha, repository } = (inCommit ?? {}) as Record<string, unknown>
  if (typeof sha !== 'string')
    throw new InvalidInput('resolve issues', { statusDetails: ['names no release and no commit'] })
  return { kind: 'commit', sha, ...(typeof repository === 'string' && { repository }) }
}

export function issueListRoutes(api: Api, options: ApiOptions): void {
  for (const path of ['/organizations/:org/issues', '/projects/:org/:project/issues']) {
    api.get(path, async (c) => list(c, options, await grantOfPath(c, 'event:read')))
    api.put(path, async (c) => update(c, options, await grantOfPath(c, 'event:write')))
  }
}

async function list(
  c: ApiContext,
  { queries, publicUrl }: ApiOptions,
  grant: Grant<'event:read', 'org' | 'project'>,
): Promise<Response> {
  const page = await listIssues(queries, { grant, ...issueListParams(c) })
  setLink(c, publicUrl, page)
  c.header('x-hits', String(page.hits))
  c.header('x-max-hits', String(MAX_HITS))
  return c.json(page.rows.map((row) => issueListJson(row, { publicUrl, orgSlug: grant.orgSlug })))
}

/**
 * `?id=1&id=2`, or what `query` matches (`is:unresolved` unless given): `{status, substatus}`. Answers what they are now, how many
 * changed, and whether that was all: one request changes 5,000 at most, and the same again changes the next. 204: none
 * matches that is not in the state already.
 */
async function update(
  c: ApiContext,
  { queries, commands }: ApiOptions,
  grant: Grant<'event:write', 'org' | 'project'>,
): Promise<Response> {
  const body = await jsonBody(c)
  const status = statusFrom(body)
  if (!status) throw new InvalidInput('update issues', { status: ['is needed'] })
  const named = c.req.queries('id')
  if (named?.some((id) => !/^\d{1,15}$/.test(id))) {
    throw new InvalidInput('update issues', { id: ['is a number'] })
  }
  const resolution = resolutionFrom(body)
  const ids = named?.map(Number) ?? (await othersThatMatch(c, queries, grant, status))
  if (ids.length === 0) return c.body(null, 204)
  const changed = await updateIssues(commands, grant, {
    ids,
    status,
    resolution,
    substatus: substatusFrom(body),
  })
  const isComplete = named !== undefined || ids.length < MAX_MATCHING
  return c.json({
    status,
    statusDetails: body.value('statusDetails') ?? {},
    count: changed.ids.length,
    isComplete,
  })
}

/** Those in the state already are left out, so that the next request finds others. The command refuses a state that is none. */
function othersThatMatch(
  c: ApiContext,
  queries: ApiOptions['queries'],
  grant: Grant<'event:write', 'org' | 'project'>,
  status: UpdateIssuesInput['status'],
): Promise<readonly number[]> {
  const params = issueListParams(c)
  if (!isStatus(status)) return matchingIssueIds(queries, { grant, ...params })
  const query = `${params.query ?? DEFAULT_QUERY} !is:${status}`
  return matchingIssueIds(queries, { grant, ...params, query })
}
