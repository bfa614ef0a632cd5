/** Asked before chunks are sent (which are missing?) and afterwards (is it stored?). */
import { assembleBundle } from '@sonde/commands'
import { type Api, type ApiContext, type ApiOptions, orgGrant, pathParam } from '../api-context.ts'
import { API_BODY_BYTES } from '../body-limits.ts'
import { jsonBody } from '../json-body.ts'

/**
 * What is wrong with an upload is a 400, not a state: the plugins that do not read our words read its status line, and
 * sentry-cli prints its `detail`.
 */
export function assembleRoutes(api: Api, { commands }: ApiOptions): void {
  const answer = async (c: ApiContext, release: (version: unknown) => unknown) => {
    const grant = await orgGrant(c, 'release:write')
    const body = await jsonBody(c, API_BODY_BYTES.assembleJson)
    const assembly = await assembleBundle(commands, grant, {
      checksum: body.value('checksum'),
      chunks: body.value('chunks'),
      projects: body.value('projects') ?? undefined,
      release: release(body.value('version')) ?? undefined,
      dist: body.value('dist') ?? undefined,
    })
    const missingChunks = assembly.state === 'not_found' ? assembly.missingChunks : []
    return c.json({ state: assembly.state, missingChunks, detail: null })
  }

  api.post('/organizations/:org/artifactbundle/assemble', (c) => answer(c, (version) => version))
  // sentry-cli 2 for servers without artifact bundles.
  api.post('/organizations/:org/releases/:version/assemble', (c) => answer(c, () => pathParam(c, 'version')))
}
