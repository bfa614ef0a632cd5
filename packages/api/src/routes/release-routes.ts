/** Releases of an organisation, or what one of its projects knows of them: sentry-cli asks under both paths. */
import type { OrgScope, Permission, ProjectScope } from '@sonde/access'
import {
  createRelease,
  deleteRelease,
  type ReleaseInput,
  type SavedRelease,
  updateRelease,
} from '@sonde/commands'
import { listReleases, releaseByVersion, RELEASE_SORTS } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, pathParam } from '../api-context.ts'
import { API_BODY_BYTES } from '../body-limits.ts'
import { type JsonBody, jsonBody } from '../json-body.ts'
import { setLink } from '../link-header.ts'
import { limitParam } from '../request-params.ts'
import { releaseJson } from '../serializers/release.ts'

type Scope = OrgScope | ProjectScope
export type OpenReleases = (c: ApiContext, permission?: Permission) => Promise<Scope>

/** Each path under which releases are found, and how it is opened. */
export function releasePaths({
  access,
}: Pick<ApiOptions, 'access'>): readonly (readonly [string, OpenReleases])[] {
  return [
    [
      '/organizations/:org/releases',
      (c, permission = 'project:read') => access.openOrg(c.get('viewer'), pathParam(c, 'org'), permission),
    ],
    [
      '/projects/:org/:project/releases',
      (c, permission = 'project:read') =>
        access.openProject(c.get('viewer'), pathParam(c, 'org'), pathParam(c, 'project'), permission),
    ],
  ]
}

export function releaseRoutes(api: Api, options: ApiOptions): void {
  const { queries, commands, publicUrl } = options
  for (const [base, open] of releasePaths(options)) {
    api.get(base, async (c) => {
      const page = await listReleases(queries, await open(c), {
        query: c.req.query('query'),
        sort: RELEASE_SORTS.find((sort) => sort === c.req.query('sort')),
        status: c.req.query('status') === 'archived' ? 'archived' : 'open',
        limit: limitParam(c),
        cursor: c.req.query('cursor'),
      })
      setLink(c, publicUrl, page)
      return c.json(page.rows.map((row) => releaseJson(row)))
    })

    // 208 says that it was there: clients take both for success.
    api.post(base, async (c) => {
      const scope = await open(c, 'release:write')
      const body = await jsonBody(c, API_BODY_BYTES.releaseJson)
      const saved = await createRelease(commands, c.get('viewer'), {
        ...inputOf(scope, body),
        version: body.value('version'),
      })
      return answer(c, options, scope, saved, saved.isNew ? 201 : 208)
    })

    api.get(`${base}/:version`, async (c) => {
      const row = await releaseByVersion(queries, await open(c), pathParam(c, 'version'))
      return row ? c.json(releaseJson(row)) : c.notFound()
    })

    api.put(`${base}/:version`, async (c) => {
      const scope = await open(c, 'release:write')
      const body = await jsonBody(c, API_BODY_BYTES.releaseJson)
      const input = { ...inputOf(scope, body), version: pathParam(c, 'version') }
      return answer(c, options, scope, await updateRelease(commands, c.get('viewer'), input), 200)
    })

    api.delete(`${base}/:version`, async (c) => {
      const { orgId } = await open(c, 'release:write')
      await deleteRelease(commands, c.get('viewer'), { org: orgId, version: pathParam(c, 'version') })
      return c.body(null, 204)
    })
  }
}

/** A project of the path is one of the release's. */
function inputOf(scope: Scope, body: JsonBody): Omit<ReleaseInput, 'version'> {
  const given = body.value('projects')
  const inPath = 'projectId' in scope ? [scope.projectSlug] : []
  return {
    org: scope.orgId,
    projects: Array.isArray(given) ? [...(given as unknown[]), ...inPath] : (given ?? inPath),
    url: body.value('url'),
    dateStarted: body.value('dateStarted'),
    dateReleased: body.value('dateReleased'),
    status: body.value('status'),
    commits: body.value('commits'),
    refs: body.value('refs'),
  }
}

async function answer(
  c: ApiContext,
  { queries }: ApiOptions,
  scope: Scope,
  { version }: SavedRelease,
  status: 200 | 201 | 208,
): Promise<Response> {
  const row = await releaseByVersion(queries, scope, version)
  return row ? c.json(releaseJson(row), status) : c.notFound()
}
