/** One Sonde with one project for all tests of a file. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { type ApiClient, apiClient, createProject, type CreatedProject } from '../../harness/api-client.ts'
import { type RunningSonde, startSonde } from '../../harness/start-sonde.ts'

const STOPS_WITHIN_MS = 10_000

export type Harness = {
  readonly sonde: RunningSonde
  readonly api: ApiClient
  readonly project: CreatedProject
  /** Stops Sonde, asserts that it ended well and in time, and removes what it kept. */
  close(): Promise<void>
}

export async function openHarness(platform: string): Promise<Harness> {
  const sonde = await startSonde()
  const project = createProject(sonde, 'acme/shop', platform)
  const api = apiClient(sonde)
  return {
    sonde,
    api,
    project,
    async close() {
      const startedMs = Date.now()
      const code = await sonde.stop()
      const tookMs = Date.now() - startedMs
      assert.equal(code, 0, `SIGTERM must end Sonde with 0\n${sonde.log()}`)
      assert.ok(tookMs <= STOPS_WITHIN_MS, `SIGTERM took ${tookMs} ms`)
      rmSync(sonde.dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}
