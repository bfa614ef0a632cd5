/** What is in a release and where it went: commits, deploys, and the repositories they are of. */
import { createDeploy } from '@sonde/commands'
import { commitsOfRelease, deploysOfRelease, previousWithCommits, releaseByVersion } from '@sonde/queries'
import { type Api, type ApiOptions, grantOfPath, orgGrant, pathParam } from '../api-context.ts'
import { jsonBody } from '../json-body.ts'
import { setLink, setSinglePage } from '../link-header.ts'
import { limitParam } from '../request-params.ts'
import { commitJson, deployJson, releaseJson } from '../serializers/release.ts'
import { RELEASE_PATHS } from './release-routes.ts'

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
