/** One client key, named by its public key (https://docs.sentry.io/api/projects/update-a-client-key/). */
import { deleteKey, InvalidInput, type RateLimitInput, updateKey } from '@sonde/commands'
import { projectKeys } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, pathParam } from '../api-context.ts'
import { type JsonBody, jsonBody } from '../json-body.ts'
import { projectKeyJson } from '../serializers/project-key.ts'

const PATH = '/projects/:org/:project/keys/:key'

export function projectKeyRoutes(api: Api, { access, queries, commands }: ApiOptions): void {
  const find = async (c: ApiContext) => {
    const viewer = c.get('viewer')
    const scope = await access.openProject(
      viewer,
      pathParam(c, 'org'),
      pathParam(c, 'project'),
      'project:read',
    )
    const named = pathParam(c, 'key')
    const key = (await projectKeys(queries, scope)).find((row) => row.publicKey === named)
    const input = { org: scope.orgId, project: scope.projectId, keyId: key?.id ?? 0 }
    return { viewer, scope, key, input }
  }

  api.get(PATH, async (c) => {
    const { scope, key } = await find(c)
    return key ? c.json(projectKeyJson(key, scope.projectId)) : c.notFound()
  })

  api.put(PATH, async (c) => {
    const { viewer, key, input } = await find(c)
    if (!key) return c.notFound()
    const body = await jsonBody(c)
    await updateKey(commands, viewer, {
      ...input,
      label: body.text('name') ?? body.text('label'),
      isActive: body.flag('isActive'),
      rateLimit: rateLimitOf(body),
    })
    const { scope, key: changed } = await find(c)
    return changed ? c.json(projectKeyJson(changed, scope.projectId)) : c.notFound()
  })

  api.delete(PATH, async (c) => {
    const { viewer, key, input } = await find(c)
    if (!key) return c.notFound()
    await deleteKey(commands, viewer, input)
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
