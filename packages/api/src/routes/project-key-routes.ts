/** One client key, named by its public key (https://docs.sentry.io/api/projects/update-a-client-key/). */
import { deleteKey, InvalidInput, type RateLimitInput, updateKey } from '@sonde/commands'
import { projectKeys } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, pathParam, projectGrant } from '../api-context.ts'
import { type JsonBody, jsonBody } from '../json-body.ts'
import { projectKeyJson } from '../serializers/project-key.ts'

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
