/** For what means to find every event that it sends: of a project's issues none is thinned (docs/noise.md). */
import type { CreatedProject } from './api-client.ts'
import { type Installation, sondeJson } from './start-sonde.ts'

/** Holds for what is sent from a moment later on. */
export async function storeAll(running: Installation, { org, project }: CreatedProject): Promise<void> {
  const { token } = sondeJson<{ token: string }>(
    running.dataDir,
    ['token', 'create', '--name', 'store-all', '--scopes', 'project:write'],
    running.env,
  )
  const answer = await fetch(`${running.url}/api/0/projects/${org}/${project}/noise/rules/`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ fullPerDay: 0 }),
  })
  if (answer.status !== 200)
    throw new Error(`the rules of noise answer ${answer.status}: ${await answer.text()}`)
}
