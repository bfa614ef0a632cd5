import { createKey, createProject, setKeyActive } from '@sonde/commands'
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

  api.put('/projects/:org/:project/keys/:key', async (c) => {
    const scope = await open(c)
    const named = pathParam(c, 'key')
    const keys = await projectKeys(queries, scope)
    const key = keys.find((row) => row.publicKey === named)
    if (!key) return c.notFound()
    const isActive = (await jsonBody(c)).flag('isActive') ?? key.isActive
    await setKeyActive(commands, c.get('viewer'), {
      org: scope.orgId,
      project: scope.projectId,
      keyId: key.id,
      isActive,
    })
    return c.json(projectKeyJson({ ...key, isActive }, scope.projectId))
  })
}

/** `My Shop` → `my-shop`; the command says what is wrong with the rest. */
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
