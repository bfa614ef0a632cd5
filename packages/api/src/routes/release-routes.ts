/** Releases of an organisation, or what one of its projects knows of them: sentry-cli asks under both paths. */
import type { Grant } from '@sonde/access'
import {
  createRelease,
  deleteRelease,
  type ReleaseInput,
  type SavedRelease,
  updateRelease,
} from '@sonde/commands'
import { listReleases, releaseByVersion, RELEASE_SORTS } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, grantOfPath, pathParam } from '../api-context.ts'
import { API_BODY_BYTES } from '../body-limits.ts'
import { type JsonBody, jsonBody } from '../json-body.ts'
import { setLink } from '../link-header.ts'
import { limitParam } from '../request-params.ts'
import { releaseJson } from '../serializers/release.ts'

/** The paths under which releases are found. */
export const RELEASE_PATHS = ['/organizations/:org/releases', '/projects/:org/:project/releases']

export function releaseRoutes(api: Api, options: ApiOptions): void {
  const { queries, commands, publicUrl } = options
  for (const base of RELEASE_PATHS) {
    api.get(base, async (c) => {
      const page = await listReleases(queries, await grantOfPath(c, 'project:read'), {
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
      const grant = await grantOfPath(c, 'release:write')
      const body = await jsonBody(c, API_BODY_BYTES.releaseJson)
      const saved = await createRelease(commands, grant, {
        ...inputOf(grant, body),
        version: body.value('version'),
      })
      return answer(c, options, grant, saved, saved.isNew ? 201 : 208)
    })

    api.get(`${base}/:version`, async (c) => {
      const row = await releaseByVersion(
        queries,
        await grantOfPath(c, 'project:read'),
        pathParam(c, 'version'),
      )
      return row ? c.json(releaseJson(row)) : c.notFound()
    })

    api.put(`${base}/:version`, async (c) => {
      const grant = await grantOfPath(c, 'release:write')
      const body = await jsonBody(c, API_BODY_BYTES.releaseJson)
      const input = { ...inputOf(grant, body), version: pathParam(c, 'version') }
      return answer(c, options, grant, await updateRelease(commands, grant, input), 200)
    })

    api.delete(`${base}/:version`, async (c) => {
      const grant = await grantOfPath(c, 'release:write')
      await deleteRelease(commands, grant, { version: pathParam(c, 'version') })
      return c.body(null, 204)
    })
  }
}

type WriteGrant = Grant<'release:write', 'org' | 'project'>

/** A project of the path is one of the release's. */
function inputOf(grant: WriteGrant, body: JsonBody): Omit<ReleaseInput, 'version'> {
  const given = body.value('projects')
  const inPath = 'projectId' in grant ? [grant.projectSlug] : []
  return {
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
  grant: WriteGrant,
  { version }: SavedRelease,
  status: 200 | 201 | 208,
): Promise<Response> {
  const row = await releaseByVersion(queries, grant, version)
  return row ? c.json(releaseJson(row), status) : c.notFound()
}
