/** Projects and their client keys: https://docs.sentry.io/api/projects/ */
import type { Grant } from '@sonde/access'
import {
  createKey,
  createProject,
  deleteKey,
  deleteProject,
  InvalidInput,
  moveGrouping,
  updateGroupingRules,
  updateKey,
  updateProject,
} from '@sonde/commands'
import { listProjects, projectKeys, projectSettings } from '@sonde/queries'
import { GROUPING_VERSIONS } from '@sonde/stores'
import { z } from 'zod'
import { type ApiContext, type ApiOptions, notFound } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { API_BODY_BYTES } from '../json-body.ts'
import { withStatus } from '../operation.ts'
import { setPage, setSinglePage } from '../pages.ts'
import {
  groupingJson,
  OrganizationName,
  Project,
  ProjectDetail,
  projectJson,
  ProjectKey,
  projectKeyJson,
} from '../serializers/project.ts'
import { changeProjectOptions, OptionFields, ProjectOptions, projectOptionsJson } from './project-options.ts'

const KEYS = '/projects/:org/:project/keys'
/** Named by its public key (https://docs.sentry.io/api/projects/update-a-client-key/). */
const KEY = '/projects/:org/:project/keys/:key'

const rateLimit = z
  .object({ count: z.coerce.number(), window: z.coerce.number() }, 'is {count, window} or null')
  .nullable()
  .optional()
  .meta({
    description: '`count` events within `window` seconds; null: no limit.',
    override: {
      type: ['object', 'null'],
      properties: { count: { type: 'integer' }, window: { type: 'integer' } },
      required: ['count', 'window'],
    },
  })

export function projectKeyRoutes(api: Api, { queries, commands, publicUrl }: ApiOptions): void {
  const find = async (grant: Grant<'project:read', 'project'>, publicKey: string) =>
    (await projectKeys(queries, grant)).find((row) => row.publicKey === publicKey)

  api.get(
    KEYS,
    {
      id: 'listProjectKeys',
      summary: 'List the client keys of a project',
      tag: 'Keys',
      permission: 'project:read',
      pages: true,
      answer: z.array(ProjectKey),
    },
    async ({ c, grant }) => {
      setSinglePage(c, publicUrl)
      return (await projectKeys(queries, grant)).map((row) => projectKeyJson(row, grant.projectId))
    },
  )

  api.post(
    KEYS,
    {
      id: 'createProjectKey',
      summary: 'Make a client key',
      tag: 'Keys',
      permission: 'project:write',
      body: z.object({ name: z.string().optional(), label: z.string().optional(), rateLimit }),
      answer: ProjectKey,
      status: 201,
    },
    async ({ grant, body: { name, label, rateLimit: limit } }) => {
      const { id } = await createKey(commands, grant, {
        label: name ?? label,
        rateLimit: limit && { count: limit.count, windowSec: limit.window },
      })
      const row = (await projectKeys(queries, grant)).find((key) => key.id === id)
      return row && projectKeyJson(row, grant.projectId)
    },
  )

  api.get(
    KEY,
    {
      id: 'getProjectKey',
      summary: 'Read a client key',
      tag: 'Keys',
      permission: 'project:read',
      answer: ProjectKey,
    },
    async ({ grant, params }) => {
      const key = await find(grant, params.key)
      return key && projectKeyJson(key, grant.projectId)
    },
  )

  api.put(
    KEY,
    {
      id: 'updateProjectKey',
      summary: 'Change a client key',
      description: 'What is absent stays.',
      tag: 'Keys',
      permission: 'project:write',
      body: z.object({
        name: z.string().optional(),
        label: z.string().optional(),
        isActive: z.boolean().optional(),
        rateLimit,
      }),
      answer: ProjectKey,
    },
    async ({ grant, params, body }) => {
      const key = await find(grant, params.key)
      if (!key) return undefined
      await updateKey(commands, grant, {
        keyId: key.id,
        label: body.name ?? body.label,
        isActive: body.isActive,
        // What is no number is told apart by the command, which says what is allowed.
        rateLimit: body.rateLimit && { count: body.rateLimit.count, windowSec: body.rateLimit.window },
      })
      const changed = await find(grant, params.key)
      return changed && projectKeyJson(changed, grant.projectId)
    },
  )

  api.delete(
    KEY,
    { id: 'deleteProjectKey', summary: 'Delete a client key', tag: 'Keys', permission: 'project:write' },
    async ({ grant, params }) => {
      const key = await find(grant, params.key)
      if (!key) throw notFound('delete a key')
      await deleteKey(commands, grant, { keyId: key.id })
    },
  )
}

export const NewProject = z.object({
  name: z.string().optional(),
  slug: z.string().optional().meta({ description: 'Made of the name unless given.' }),
  platform: z.string().optional(),
})

/** As Sentry names them: https://docs.sentry.io/api/projects/update-a-project/ */
const ProjectFields = OptionFields.extend({
  name: z.string().optional(),
  slug: z.string().optional(),
  platform: z.string().optional(),
  fingerprintingRules: z.string().optional(),
  groupingEnhancements: z.string().optional(),
  groupingConfig: z.enum(GROUPING_VERSIONS, `is one of ${GROUPING_VERSIONS.join(', ')}`).optional(),
})

export function projectRoutes(api: Api, { queries, commands, publicUrl }: ApiOptions): void {
  api.post(
    '/organizations/:org/projects',
    {
      id: 'createProject',
      summary: 'Make a project',
      tag: 'Projects',
      permission: 'project:create',
      body: NewProject,
      answer: Project,
      status: 201,
      also: { 409: 'There is one of this slug: the answer is that one.' },
    },
    async ({ c, grant, body: { name, slug = slugOf(name ?? ''), platform } }) => {
      const created = await createProject(commands, grant, { slug, name, platform })
      const own = await c.get('grants').openProject(created.orgId, created.id, 'project:read')
      const [row] = await listProjects(queries, own)
      return row && withStatus(created.isNew ? 201 : 409, projectJson(row))
    },
  )

  // https://docs.sentry.io/api/projects/list-your-projects/
  api.get(
    '/projects',
    {
      id: 'listProjects',
      summary: 'List the projects of every organization that the caller sees',
      tag: 'Projects',
      opens: 'project:read',
      pages: true,
      answer: z.array(Project.extend({ organization: OrganizationName })),
    },
    async ({ c }) => {
      const grants = await c.get('grants').openOrgs('project:read')
      const rows = await Promise.all(
        grants.map(async (grant) =>
          (await listProjects(queries, grant)).map((row) => ({
            ...projectJson(row),
            organization: { id: String(grant.orgId), slug: grant.orgSlug, name: grant.orgName },
          })),
        ),
      )
      return setPage(c, publicUrl, rows.flat())
    },
  )

  const detail = async (c: ApiContext, grant: Grant<'project:read', 'project'>) => {
    const [row] = await listProjects(queries, grant)
    const [settings, org] = await Promise.all([
      projectSettings(queries, grant),
      c.get('grants').openOrg(grant.orgId, 'org:read'),
    ])
    return row && { ...projectJson(row), ...groupingJson(settings), ...projectOptionsJson(org, settings) }
  }

  api.get(
    '/projects/:org/:project',
    {
      id: 'getProject',
      summary: 'Read a project',
      tag: 'Projects',
      permission: 'project:read',
      answer: ProjectDetail.extend(ProjectOptions.shape),
    },
    ({ c, grant }) => detail(c, grant),
  )

  api.put(
    '/projects/:org/:project',
    {
      id: 'updateProject',
      summary: 'Change a project and how its events are grouped',
      description: 'What is absent stays.',
      tag: 'Projects',
      permission: 'project:write',
      body: ProjectFields,
      maxBytes: API_BODY_BYTES.rules,
      answer: ProjectDetail.extend(ProjectOptions.shape),
    },
    async ({ c, grant, body }) => {
      const { name, slug, platform } = body
      await updateProject(commands, grant, { name, slug, platform })
      await changeGrouping(commands, grant, body)
      await changeProjectOptions({ queries, commands }, grant, body)
      return detail(c, grant)
    },
  )

  api.delete(
    '/projects/:org/:project',
    { id: 'deleteProject', summary: 'Delete a project', tag: 'Projects', permission: 'project:delete' },
    // The path names the slug, which is as good as typing it.
    ({ grant, params }) => deleteProject(commands, grant, { confirmSlug: params.project }),
  )
}

/** Throws `InvalidInput` under the names of the body. */
async function changeGrouping(
  commands: ApiOptions['commands'],
  grant: Grant<'project:write', 'project'>,
  {
    fingerprintingRules: fingerprintRules,
    groupingEnhancements: stackRules,
    groupingConfig: version,
  }: z.output<typeof ProjectFields>,
): Promise<void> {
  if (fingerprintRules !== undefined || stackRules !== undefined)
    try {
      await updateGroupingRules(commands, grant, {
        ...(fingerprintRules !== undefined && { fingerprintRules }),
        ...(stackRules !== undefined && { stackRules }),
      })
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      const { fingerprintRules: fingerprints, stackRules: stacks } = error.fields
      throw new InvalidInput('change the grouping of a project', {
        ...(fingerprints && { fingerprintingRules: fingerprints }),
        ...(stacks && { groupingEnhancements: stacks }),
      })
    }
  if (version !== undefined) await moveGrouping(commands, grant, { version })
}

/** `My Shop` → `my-shop`; the command says what is wrong with the rest. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '')
