/** Issues of a project or an organisation: reading, and changing many at once. */
import type { OrgScope, Permission, ProjectScope } from '@sonde/access'
import { InvalidInput, updateIssues } from '@sonde/commands'
import { listIssues, MAX_HITS, matchingIssueIds } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, pathParam } from '../api-context.ts'
import { statusFrom } from '../issue-status.ts'
import { jsonBody } from '../json-body.ts'
import { setLink } from '../link-header.ts'
import { issueListParams } from '../request-params.ts'
import { issueListJson } from '../serializers/issue.ts'

type Open = (c: ApiContext, permission: Permission) => Promise<OrgScope | ProjectScope>

export function issueListRoutes(api: Api, options: ApiOptions): void {
  const { access } = options
  const openOrg: Open = (c, permission) => access.openOrg(c.get('viewer'), pathParam(c, 'org'), permission)
  const openProject: Open = (c, permission) =>
    access.openProject(c.get('viewer'), pathParam(c, 'org'), pathParam(c, 'project'), permission)
  for (const [path, open] of [
    ['/organizations/:org/issues', openOrg],
    ['/projects/:org/:project/issues', openProject],
  ] as const) {
    api.get(path, async (c) => list(c, options, await open(c, 'event:read')))
    api.put(path, async (c) => update(c, options, await open(c, 'event:write')))
  }
}

async function list(
  c: ApiContext,
  { queries, publicUrl }: ApiOptions,
  scope: OrgScope | ProjectScope,
): Promise<Response> {
  const page = await listIssues(queries, { scope, ...issueListParams(c) })
  setLink(c, publicUrl, page)
  c.header('x-hits', String(page.hits))
  c.header('x-max-hits', String(MAX_HITS))
  return c.json(page.rows.map((row) => issueListJson(row, { publicUrl, orgSlug: scope.orgSlug })))
}

/** `?id=1&id=2`, or everything that `query` matches: `{status}`. Answers what they are now. */
async function update(
  c: ApiContext,
  { queries, commands }: ApiOptions,
  scope: OrgScope | ProjectScope,
): Promise<Response> {
  const status = statusFrom(await jsonBody(c))
  if (!status) throw new InvalidInput('update issues', { status: ['is needed'] })
  const named = c.req.queries('id')
  if (named?.some((id) => !/^\d{1,15}$/.test(id))) {
    throw new InvalidInput('update issues', { id: ['is a number'] })
  }
  const ids = named?.map(Number) ?? (await matchingIssueIds(queries, { scope, ...issueListParams(c) }))
  if (ids.length === 0) return c.body(null, 204)
  await updateIssues(commands, c.get('viewer'), {
    org: scope.orgId,
    ...('projectId' in scope ? { project: scope.projectId } : {}),
    ids,
    status,
  })
  return c.json({ status, statusDetails: {} })
}
