import { createKey, createProject, deleteProject, updateProject } from '@sonde/commands'
import { listProjects, projectKeys } from '@sonde/queries'
import { type Api, type ApiOptions, orgGrant, pathParam, projectGrant } from '../api-context.ts'
import { jsonBody } from '../json-body.ts'
import { setSinglePage } from '../link-header.ts'
import { projectJson } from '../serializers/project.ts'
import { projectKeyJson } from '../serializers/project-key.ts'

export function projectRoutes(api: Api, { queries, commands, publicUrl }: ApiOptions): void {
  api.post('/organizations/:org/projects', async (c) => {
    const mayCreate = await orgGrant(c, 'project:create')
    const body = await jsonBody(c)
    const created = await createProject(commands, mayCreate, {
      slug: body.text('slug') ?? slugOf(body.text('name') ?? ''),
      name: body.text('name'),
      platform: body.text('platform'),
    })
    const grant = await c.get('grants').openProject(created.orgId, created.id, 'project:read')
    const [row] = await listProjects(queries, grant)
    return row ? c.json(projectJson(row), created.isNew ? 201 : 409) : c.notFound()
  })

  api.get('/projects/:org/:project', async (c) => {
    const [row] = await listProjects(queries, await projectGrant(c, 'project:read'))
    return row ? c.json({ ...projectJson(row), options: {}, digestsMinDelay: 300 }) : c.notFound()
  })

  api.put('/projects/:org/:project', async (c) => {
    const grant = await projectGrant(c, 'project:write')
    const body = await jsonBody(c)
    const [name, slug, platform] = [body.text('name'), body.text('slug'), body.text('platform')]
    await updateProject(commands, grant, { name, slug, platform })
    const [row] = await listProjects(queries, grant)
    return row ? c.json(projectJson(row)) : c.notFound()
  })

  /** The path names the slug, which is as good as typing it. */
  api.delete('/projects/:org/:project', async (c) => {
    const grant = await projectGrant(c, 'project:delete')
    const confirmSlug = pathParam(c, 'project')
    await deleteProject(commands, grant, { confirmSlug })
    return c.body(null, 204)
  })

  api.get('/projects/:org/:project/keys', async (c) => {
    const grant = await projectGrant(c, 'project:read')
    setSinglePage(c, publicUrl)
    return c.json((await projectKeys(queries, grant)).map((row) => projectKeyJson(row, grant.projectId)))
  })

  api.post('/projects/:org/:project/keys', async (c) => {
    const grant = await projectGrant(c, 'project:write')
    const body = await jsonBody(c)
    const { id } = await createKey(commands, grant, {
      label: body.text('name') ?? body.text('label'),
    })
    const row = (await projectKeys(queries, grant)).find((key) => key.id === id)
    return row ? c.json(projectKeyJson(row, grant.projectId), 201) : c.notFound()
  })
}

/** `My Shop` → `my-shop`; the command says what is wrong with the rest. */
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '')
