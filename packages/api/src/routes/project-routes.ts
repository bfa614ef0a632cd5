import { createKey, createProject, deleteProject, updateProject } from '@sonde/commands'
import { listProjects, projectKeys } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, pathParam } from '../api-context.ts'
import { jsonBody } from '../json-body.ts'
import { setSinglePage } from '../link-header.ts'
import { projectJson } from '../serializers/project.ts'
import { projectKeyJson } from '../serializers/project-key.ts'

export function projectRoutes(api: Api, { access, queries, commands, publicUrl }: ApiOptions): void {
  const open = (c: ApiContext) =>
    access.openProject(c.get('viewer'), pathParam(c, 'org'), pathParam(c, 'project'), 'project:read')

  api.post('/organizations/:org/projects', async (c) => {
    const body = await jsonBody(c)
    const created = await createProject(commands, c.get('viewer'), {
      org: pathParam(c, 'org'),
      slug: body.text('slug') ?? slugOf(body.text('name') ?? ''),
      name: body.text('name'),
      platform: body.text('platform'),
    })
    const scope = await access.openProject(c.get('viewer'), created.orgId, created.id, 'project:read')
    const [row] = await listProjects(queries, scope)
    return row ? c.json(projectJson(row), created.isNew ? 201 : 409) : c.notFound()
  })

  api.get('/projects/:org/:project', async (c) => {
    const [row] = await listProjects(queries, await open(c))
    return row ? c.json({ ...projectJson(row), options: {}, digestsMinDelay: 300 }) : c.notFound()
  })

  api.put('/projects/:org/:project', async (c) => {
    const scope = await open(c)
    const body = await jsonBody(c)
    const [name, slug, platform] = [body.text('name'), body.text('slug'), body.text('platform')]
    const project = { org: scope.orgId, project: scope.projectId }
    await updateProject(commands, c.get('viewer'), { ...project, name, slug, platform })
    const [row] = await listProjects(queries, scope)
    return row ? c.json(projectJson(row)) : c.notFound()
  })

  /** The path names the slug, which is as good as typing it. */
  api.delete('/projects/:org/:project', async (c) => {
    const { orgId: org, projectId: project } = await open(c)
    const confirmSlug = pathParam(c, 'project')
    await deleteProject(commands, c.get('viewer'), { org, project, confirmSlug })
    return c.body(null, 204)
  })

  api.get('/projects/:org/:project/keys', async (c) => {
    const scope = await open(c)
    setSinglePage(c, publicUrl)
    return c.json((await projectKeys(queries, scope)).map((row) => projectKeyJson(row, scope.projectId)))
  })

  api.post('/projects/:org/:project/keys', async (c) => {
    const body = await jsonBody(c)
    const { id } = await createKey(commands, c.get('viewer'), {
      org: pathParam(c, 'org'),
      project: pathParam(c, 'project'),
      label: body.text('name') ?? body.text('label'),
    })
    const scope = await open(c)
    const row = (await projectKeys(queries, scope)).find((key) => key.id === id)
    return row ? c.json(projectKeyJson(row, scope.projectId), 201) : c.notFound()
  })
}

/** `My Shop` → `my-shop`; the command says what is wrong with the rest. */
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '')
