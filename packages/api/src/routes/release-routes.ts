/** Releases of an organization, or what one of its projects knows of them: sentry-cli asks under both paths. */
import type { Grant } from '@sonde/access'
import {
  createDeploy,
  createRelease,
  deleteRelease,
  type ReleaseInput,
  type SavedRelease,
  updateRelease,
} from '@sonde/commands'
import {
  commitsOfRelease,
  deploysOfRelease,
  listReleases,
  previousWithCommits,
  RELEASE_SORTS,
  releaseByVersion,
} from '@sonde/queries'
import {
  type Api,
  type ApiContext,
  type ApiOptions,
  grantOfPath,
  orgGrant,
  pathParam,
} from '../api-context.ts'
import { API_BODY_BYTES, type JsonBody, jsonBody } from '../json-body.ts'
import { limitParam, setLink, setSinglePage } from '../request-params.ts'
import { commitJson, deployJson, releaseJson } from '../serializers/release.ts'

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

/** What is in a release and where it went: commits, deploys, and the repositories they are of. */
export function releasePartRoutes(api: Api, options: ApiOptions): void {
  const { queries, commands, publicUrl } = options
  for (const base of RELEASE_PATHS) {
    api.get(`${base}/:version/commits`, async (c) => {
      const release = await releaseByVersion(
        queries,
        await grantOfPath(c, 'project:read'),
        pathParam(c, 'version'),
      )
      if (!release) return c.notFound()
      const page = await commitsOfRelease(queries, release, {
        limit: limitParam(c),
        cursor: c.req.query('cursor'),
      })
      setLink(c, publicUrl, page)
      return c.json(page.rows.map((row) => commitJson(row)))
    })

    /** From which commit on a build has to tell what it holds; `{}`: nobody told of any before it. */
    api.get(`${base}/:version/previous-with-commits`, async (c) => {
      const grant = await grantOfPath(c, 'project:read')
      const release = await releaseByVersion(queries, grant, pathParam(c, 'version'))
      if (!release) return c.notFound()
      const previous = await previousWithCommits(queries, grant, release)
      return c.json(previous ? releaseJson(previous) : {})
    })

    api.get(`${base}/:version/deploys`, async (c) => {
      const grant = await grantOfPath(c, 'project:read')
      const release = await releaseByVersion(queries, grant, pathParam(c, 'version'))
      if (!release) return c.notFound()
      setSinglePage(c, publicUrl)
      return c.json((await deploysOfRelease(queries, grant, release.version)).map((row) => deployJson(row)))
    })

    api.post(`${base}/:version/deploys`, async (c) => {
      const grant = await grantOfPath(c, 'release:write')
      const version = pathParam(c, 'version')
      const body = await jsonBody(c)
      const inPath = 'projectId' in grant ? [grant.projectSlug] : undefined
      const { id } = await createDeploy(commands, grant, {
        version,
        environment: body.value('environment'),
        name: body.value('name'),
        url: body.value('url'),
        dateStarted: body.value('dateStarted'),
        dateFinished: body.value('dateFinished'),
        projects: body.value('projects') ?? inPath,
      })
      const deploy = (await deploysOfRelease(queries, grant, version)).find((row) => row.id === id)
      return deploy ? c.json(deployJson(deploy), 201) : c.notFound()
    })
  }

  /**
   * Those whose commits Sonde could read by itself: none. A client that finds its repository here sends only where the
   * range begins and ends; otherwise it sends the commits with their files, which is what suspect commits need.
   */
  api.get('/organizations/:org/repos', async (c) => {
    await orgGrant(c, 'org:read')
    setSinglePage(c, publicUrl)
    return c.json([])
  })
}
