import type { Grant } from '@sonde/access'
import {
  createKey,
  createProject,
  deleteKey,
  deleteProject,
  InvalidInput,
  moveGrouping,
  type RateLimitInput,
  updateGroupingRules,
  updateKey,
  updateProject,
} from '@sonde/commands'
import {
  listProjects,
  type ProjectKeyRow,
  projectKeys,
  type ProjectRow,
  projectSettings,
  type ProjectSettingsView,
} from '@sonde/queries'
import { DEFAULT_GROUPING, GROUPING_VERSIONS } from '@sonde/stores'
import {
  type Api,
  type ApiContext,
  type ApiOptions,
  orgGrant,
  pathParam,
  projectGrant,
} from '../api-context.ts'
import { API_BODY_BYTES, jsonBody, type JsonBody } from '../json-body.ts'
import { setPage, setSinglePage } from '../request-params.ts'
import { isoDate, isoDateOrNull } from '../serializers/date.ts'
import { teamNameJson } from '../serializers/team.ts'

/** One client key, named by its public key (https://docs.sentry.io/api/projects/update-a-client-key/). */
const PATH = '/projects/:org/:project/keys/:key'

export function projectKeyRoutes(api: Api, { queries, commands }: ApiOptions): void {
  const find = async <P extends 'project:read' | 'project:write'>(c: ApiContext, permission: P) => {
    const grant = await projectGrant(c, permission)
    const named = pathParam(c, 'key')
    const key = (await projectKeys(queries, grant)).find((row) => row.publicKey === named)
    return { grant, key }
  }

  api.get(PATH, async (c) => {
    const { grant, key } = await find(c, 'project:read')
    return key ? c.json(projectKeyJson(key, grant.projectId)) : c.notFound()
  })

  api.put(PATH, async (c) => {
    const { grant, key } = await find(c, 'project:write')
    if (!key) return c.notFound()
    const body = await jsonBody(c)
    await updateKey(commands, grant, {
      keyId: key.id,
      label: body.text('name') ?? body.text('label'),
      isActive: body.flag('isActive'),
      rateLimit: rateLimitOf(body),
    })
    const { key: changed } = await find(c, 'project:read')
    return changed ? c.json(projectKeyJson(changed, grant.projectId)) : c.notFound()
  })

  api.delete(PATH, async (c) => {
    const { grant, key } = await find(c, 'project:write')
    if (!key) return c.notFound()
    await deleteKey(commands, grant, { keyId: key.id })
    return c.body(null, 204)
  })
}

/** `{count, window}` in seconds, null for no limit; undefined when the body does not speak of it. */
function rateLimitOf(body: JsonBody): RateLimitInput | undefined {
  const value = body.value('rateLimit')
  if (value === undefined || value === null) return value
  if (typeof value !== 'object') {
    throw new InvalidInput('change a key', { rateLimit: ['is {count, window} or null'] })
  }
  const { count, window } = value as { count?: unknown; window?: unknown }
  // What is no number is told apart by the command, which says what is allowed.
  return { count: Number(count), windowSec: Number(window) }
}

/** SDKs no longer use a secret; clients still read the field, so it repeats the public key's place with nothing in it. */
const projectKeyJson = (row: ProjectKeyRow, projectId: number) => ({
  id: row.publicKey,
  name: row.label,
  label: row.label,
  public: row.publicKey,
  secret: '',
  projectId,
  isActive: row.isActive,
  rateLimit: row.rateLimit ? { window: row.rateLimit.windowSec, count: row.rateLimit.count } : null,
  dsn: { public: row.dsn, secret: row.dsn },
  browserSdkVersion: '',
  dynamicSdkLoaderOptions: {},
  dateCreated: isoDate(row.createdMs),
})

export const projectJson = (row: ProjectRow) => ({
  id: String(row.id),
  slug: row.slug,
  name: row.name,
  platform: row.platform,
  dateCreated: isoDate(row.createdMs),
  firstEvent: isoDateOrNull(row.firstEventMs),
  status: 'active',
  isMember: true,
  hasAccess: true,
  isBookmarked: false,
  isPublic: false,
  team: row.teams[0] ? teamNameJson(row.teams[0]) : null,
  teams: row.teams.map(teamNameJson),
  features: [] as string[],
  environments: [] as string[],
  latestRelease: null,
})

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

  // Of every organization that the caller sees. https://docs.sentry.io/api/projects/list-your-projects/
  api.get('/projects', async (c) => {
    const grants = await c.get('grants').openOrgs('project:read')
    const rows = await Promise.all(
      grants.map(async (grant) =>
        (await listProjects(queries, grant)).map((row) => ({
          ...projectJson(row),
          organization: { id: String(grant.orgId), slug: grant.orgSlug, name: grant.orgName },
        })),
      ),
    )
    return c.json(setPage(c, publicUrl, rows.flat()))
  })

  api.get('/projects/:org/:project', async (c) => {
    const grant = await projectGrant(c, 'project:read')
    const [row] = await listProjects(queries, grant)
    if (!row) return c.notFound()
    const grouping = groupingJson(await projectSettings(queries, grant))
    return c.json({ ...projectJson(row), ...grouping, options: {}, digestsMinDelay: 300 })
  })

  api.put('/projects/:org/:project', async (c) => {
    const grant = await projectGrant(c, 'project:write')
    const body = await jsonBody(c, API_BODY_BYTES.rules)
    const [name, slug, platform] = [body.text('name'), body.text('slug'), body.text('platform')]
    await updateProject(commands, grant, { name, slug, platform })
    await changeGrouping(commands, grant, body)
    const [row] = await listProjects(queries, grant)
    if (!row) return c.notFound()
    return c.json({ ...projectJson(row), ...groupingJson(await projectSettings(queries, grant)) })
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

/** As Sentry names them: https://docs.sentry.io/api/projects/update-a-project/ */
const groupingJson = (settings: ProjectSettingsView | undefined) => {
  const { fingerprintRules, stackRules, version, previous } = settings?.grouping ?? DEFAULT_GROUPING
  return {
    groupingConfig: version,
    fingerprintingRules: fingerprintRules,
    groupingEnhancements: stackRules,
    secondaryGroupingConfig: previous?.version ?? null,
    secondaryGroupingExpiry: previous ? Math.floor(previous.untilMs / 1000) : 0,
  }
}

/** What the body does not speak of stays. Throws `InvalidInput` under the names of the body. */
async function changeGrouping(
  commands: ApiOptions['commands'],
  grant: Grant<'project:write', 'project'>,
  body: JsonBody,
): Promise<void> {
  const [fingerprintRules, stackRules] = [body.text('fingerprintingRules'), body.text('groupingEnhancements')]
  const config = body.text('groupingConfig')
  const operation = 'change the grouping of a project'
  const version = GROUPING_VERSIONS.find((each) => each === config)
  if (config !== undefined && version === undefined)
    throw new InvalidInput(operation, { groupingConfig: [`is one of ${GROUPING_VERSIONS.join(', ')}`] })
  if (fingerprintRules !== undefined || stackRules !== undefined)
    try {
      await updateGroupingRules(commands, grant, {
        ...(fingerprintRules !== undefined && { fingerprintRules }),
        ...(stackRules !== undefined && { stackRules }),
      })
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      const { fingerprintRules: fingerprints, stackRules: stacks } = error.fields
      throw new InvalidInput(operation, {
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
