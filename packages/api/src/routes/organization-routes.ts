import { listOrganizations, listProjects } from '@sonde/queries'
import { type Api, type ApiOptions, pathParam } from '../api-context.ts'
import { setPage } from '../list-page.ts'
import { organizationJson } from '../serializers/organization.ts'
import { projectJson } from '../serializers/project.ts'

export function organizationRoutes(api: Api, { access, queries, publicUrl }: ApiOptions): void {
  api.get('/organizations', async (c) => {
    const rows = await listOrganizations(queries, await access.openOrgs(c.get('viewer'), 'org:read'))
    return c.json(setPage(c, publicUrl, rows).map((row) => organizationJson(row, publicUrl)))
  })

  api.get('/organizations/:org', async (c) => {
    const scope = await access.openOrg(c.get('viewer'), pathParam(c, 'org'), 'org:read')
    const [row] = await listOrganizations(queries, [scope])
    return row ? c.json(organizationJson(row, publicUrl)) : c.notFound()
  })

  api.get('/organizations/:org/projects', async (c) => {
    const scope = await access.openOrg(c.get('viewer'), pathParam(c, 'org'), 'org:read')
    const rows = setPage(c, publicUrl, await listProjects(queries, scope))
    return c.json(rows.map((row) => projectJson(row)))
  })
}
