/** Asks a Sonde whether it has what makes scripts with these debug ids readable. */
import { callServer } from './call-server.ts'
import type { Server } from './server-address.ts'

export type ServerState = { readonly state: 'readable' | 'broken' | 'missing'; readonly detail: string }

/** What one question may hold, `MAX_ASKED_IDS` of the server. */
const IDS_A_QUESTION = 1_000

/** By debug id. @throws SondeError */
export async function askServer(
  server: Server,
  debugIds: readonly string[],
): Promise<ReadonlyMap<string, ServerState>> {
  const states = new Map<string, ServerState>()
  const path = `/api/0/organizations/${encodeURIComponent(server.org)}/artifact-states/`
  for (let from = 0; from < debugIds.length; from += IDS_A_QUESTION) {
    const asked = debugIds.slice(from, from + IDS_A_QUESTION)
    const { artifacts } = await callServer<{ artifacts: (ServerState & { debugId: string })[] }>(
      server,
      path,
      {
        json: { debugIds: asked },
      },
    )
    for (const { debugId, state, detail } of artifacts) states.set(debugId, { state, detail })
  }
  return states
}
