/** A data folder with a hundred thousand issues, or as many as are wanted: part through the endpoints, the rest beside them. */
import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { apiClient, createProject } from '../../tests/harness/api-client.ts'
import { startSonde, WITHOUT_SPIKE_LIMITS } from '../../tests/harness/start-sonde.ts'
import { countedEvents } from '../../tests/harness/stored-events.ts'
import { startGenerator } from '../load/start-generator.ts'
import { envelopesOf, idPrefix } from '../load/template.ts'
import { pythonLikeEnvelopes } from '../payloads/python-like.ts'
import { sdkEnvelopes } from '../payloads/sdk-envelopes.ts'

/** Beside `acme/shop`, with a few events each: an organization's screens ask for all of them. */
const OTHER_PROJECTS = 19
const SDK_EVENTS = 2_000
const OTHER_EVENTS = 100
const RATE_PER_SEC = 400
const CONNECTIONS = 16

export type Filling = { readonly dataDir: string; readonly issues: number; readonly events: number }

/** Does nothing when the folder was filled before. */
export async function fillDataDir(
  { dataDir, issues, events }: Filling,
  say: (text: string) => void,
): Promise<void> {
  const marker = join(dataDir, 'filled')
  if (existsSync(marker)) return
  const projectId = await sendThroughEndpoints(dataDir)
  say(`multiplying what the pipeline stored: ${issues} issues, ${events} events`)
  const script = join(import.meta.dirname, 'load-store.ts')
  await promisify(execFile)(process.execPath, [script, dataDir, projectId, String(issues), String(events)])
  writeFileSync(marker, '')
}

/** Returns the id of `acme/shop`. */
async function sendThroughEndpoints(dataDir: string): Promise<string> {
  const running = await startSonde({ dataDir, env: WITHOUT_SPIKE_LIMITS })
  const generator = startGenerator()
  try {
    const api = apiClient(running)
    const shop = createProject(running, 'acme/shop')
    const others = Array.from({ length: OTHER_PROJECTS }, (_, at) =>
      createProject(running, `acme/service-${at}`),
    )
    for (const project of [shop, ...others]) {
      const envelopes = project === shop ? await sdkEnvelopes(SDK_EVENTS) : pythonLikeEnvelopes()
      const target = envelopesOf(running.port, project)
      await generator.load(project.project, envelopes, target)
      const { ok } = await generator.run({
        target,
        payloads: project.project,
        connections: CONNECTIONS,
        durationMs: 60_000,
        count: project === shop ? SDK_EVENTS : OTHER_EVENTS,
        ratePerSec: RATE_PER_SEC,
        idPrefix: idPrefix(),
        firstCounter: 0,
      })
      for (const endMs = Date.now() + 30_000; (await countedEvents(api, project)) < ok;) {
        if (Date.now() > endMs) throw new Error(`${project.project}: not all of ${ok} events can be queried`)
      }
    }
    const code = await running.stop()
    if (code !== 0) throw new Error(`Sonde ended with ${code}\n${running.log()}`)
    return shop.id
  } finally {
    running.child.kill('SIGKILL')
    generator.stop()
  }
}
