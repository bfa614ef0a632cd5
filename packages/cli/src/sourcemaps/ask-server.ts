/** Asks a Sonde whether it has what makes scripts with these debug ids readable. */
import { callServer } from '../client/call-server.ts'
import type { Server } from '../client/find-server.ts'

export type ServerState = { readonly state: 'readable' | 'broken' | 'missing'; readonly detail: string }

/** What one question may hold, `MAX_REQUESTED_IDS` of the server. */
const IDS_A_QUESTION = 1_000

/** By debug id. @throws SondeError */
export async function askServer(
  { url, org, token }: Server,
  debugIds: readonly string[],
): Promise<ReadonlyMap<string, ServerState>> {
  const states = new Map<string, ServerState>()
  const credentials = { token: () => Promise.resolve(token), renew: () => Promise.resolve(undefined) }
  for (let from = 0; from < debugIds.length; from += IDS_A_QUESTION) {
    const { body } = await callServer<{ artifacts: (ServerState & { debugId: string })[] }>(
      url,
      credentials,
      {
        method: 'POST',
        path: `/api/0/organizations/${encodeURIComponent(org)}/artifact-states/`,
        json: { debugIds: debugIds.slice(from, from + IDS_A_QUESTION) },
        isRepeatable: true,
      },
    )
    for (const { debugId, state, detail } of body.artifacts) states.set(debugId, { state, detail })
  }
  return states
}
