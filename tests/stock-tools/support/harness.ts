/** One Sonde with an organization, a project and a token for builds: what a team has before it uploads anything. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiClient, apiClient, createProject, type CreatedProject } from '../../harness/api-client.ts'
import { type RunningSonde, sondeJson, startSonde } from '../../harness/start-sonde.ts'

/** What the page about source maps says; events are read by `sentry-cli events list` only. */
const UPLOAD_SCOPES = 'org:ci,event:read'

export type Harness = {
  readonly sonde: RunningSonde
  readonly api: ApiClient
  readonly project: CreatedProject
  /** What a build is given: address, token, organization, project and DSN, and a home folder that is empty. */
  readonly env: NodeJS.ProcessEnv
  close(): Promise<void>
}

export async function openHarness(
  platform = 'javascript',
  sondeEnv: NodeJS.ProcessEnv = {},
): Promise<Harness> {
  const sonde = await startSonde({ env: sondeEnv })
  const project = createProject(sonde, 'acme/shop', platform)
  // The npm package `sentry` keeps answers of servers in the home folder.
  const home = mkdtempSync(join(tmpdir(), 'sonde-home-'))
  return {
    sonde,
    api: apiClient(sonde),
    project,
    env: {
      HOME: home,
      SENTRY_URL: sonde.url,
      SENTRY_AUTH_TOKEN: uploadToken(sonde, 'acme'),
      SENTRY_ORG: 'acme',
      SENTRY_PROJECT: 'shop',
      SENTRY_DSN: project.dsn,
    },
    async close() {
      assert.equal(await sonde.stop(), 0, `SIGTERM must end Sonde with 0\n${sonde.log()}`)
      for (const folder of [sonde.dataDir, home])
        rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}

/** As docs/operate/source-maps.md says: `sonde token create --org ORG`. */
export function uploadToken({ dataDir, port }: RunningSonde, org: string, scopes = UPLOAD_SCOPES): string {
  const words = ['token', 'create', '--name', 'build', '--org', org, '--scopes', scopes]
  return sondeJson<{ token: string }>(dataDir, words, { PORT: String(port) }).token
}
