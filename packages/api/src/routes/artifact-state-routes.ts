/** Ours: whether maps with given debug ids were uploaded and can be read. `sonde sourcemaps verify` asks it. */
import { artifactStates, MAX_ASKED_IDS } from '@sonde/queries'
import { InvalidInput } from '@sonde/commands'
import { type Api, type ApiOptions, orgGrant } from '../api-context.ts'
import { jsonBody } from '../json-body.ts'

export function artifactStateRoutes(api: Api, { queries }: ApiOptions): void {
  // A question, and a POST all the same: a build has more ids than fit into an address.
  api.post('/organizations/:org/artifact-states', async (c) => {
    const grant = await orgGrant(c, 'project:read')
    const asked = (await jsonBody(c)).value('debugIds')
    if (!isListOfTexts(asked) || asked.length > MAX_ASKED_IDS)
      throw new InvalidInput('look up debug ids', {
        debugIds: [`a list of at most ${MAX_ASKED_IDS} debug ids is needed`],
      })
    const ids = asked.map((id) => id.toLowerCase())
    return c.json({ artifacts: await artifactStates(queries, grant, ids) })
  })
}

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
