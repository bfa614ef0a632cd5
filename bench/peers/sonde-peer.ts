/** The built Sonde, with its limits lifted as those of the others are. */
import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { killVictim } from '../../tests/crash/kill-victim.ts'
import { apiClient, createProject } from '../../tests/harness/api-client.ts'
import { backPidOf } from '../../tests/harness/processes.ts'
import { startSonde, temporaryDataDir, WITHOUT_SPIKE_LIMITS } from '../../tests/harness/start-sonde.ts'
import { storeAll } from '../../tests/harness/store-all.ts'
import { envelopesOf } from '../load/template.ts'
import { usageOf } from '../machine/process-tree.ts'
import { waitForEvents } from '../persist/wait-for-events.ts'
import { signedInClient } from '../screens/page-client.ts'
import type { StoredParts } from '../stored/count-parts.ts'
import type { Peer, RunningPeer } from './peer.ts'

/** `version`: of this repository. */
export const sondePeer = (version: string): Peer => ({ name: `Sonde ${version}`, start })

async function start(): Promise<RunningPeer> {
  const data = temporaryDataDir()
  let running = await startSonde({ dataDir: data.dir, env: WITHOUT_SPIKE_LIMITS })
  const project = createProject(running, 'acme/shop')
  await storeAll(running, project)
  const api = apiClient(running)
  const client = await signedInClient(running.url)
  const recordsFile = join(data.dir, 'records.sqlite')
  const emptyBytes = statSync(recordsFile).size
  // Read from its file, as that of the others is: asking costs none of them anything.
  const records = new DatabaseSync(recordsFile, { readOnly: true })
  const ofIssues = (what: string): number => {
    const row = records.prepare(`SELECT ${what} AS n FROM issue WHERE project_id = ?`).get(Number(project.id))
    return Number(row?.['n'] ?? 0)
  }
  const queryable = async (): Promise<number> => ofIssues('sum(event_count)')
  const front = (): number => running.child.pid ?? 0
  const usage = () => [usageOf('front', front()), usageOf('back', backPidOf(front()) ?? 0)]
  const page = async (path: string): Promise<number> => (await client.ask(path, 'html')).tookMs
  return {
    target: envelopesOf(running.port, project),
    queryable,
    untilQueryable: (events) => waitForEvents({ queryable, log: () => running.log() }, events),
    async isVisible(id) {
      return (await api.get(`/api/0/projects/acme/shop/events/${id}/`)).status === 200
    },
    usage,
    cpuMs: () => usage().reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    pages: { list: () => page('/acme/shop/issues'), issue: () => page('/acme/shop/issues/1') },
    issues: async () => ofIssues('count(*)'),
    async killAndRestart() {
      running = await killVictim('both', running)
    },
    async stopAndCount() {
      records.close()
      client.close()
      if ((await running.stop()) !== 0) throw new Error(`Sonde did not end well\n${running.log()}`)
      const { stdout } = await promisify(execFile)(process.execPath, [
        ...process.execArgv,
        join(import.meta.dirname, '..', 'stored', 'count-parts.ts'),
        join(data.dir, 'telemetry'),
      ])
      const { bytes } = JSON.parse(stdout) as StoredParts
      return bytes + statSync(recordsFile).size - emptyBytes
    },
    async remove() {
      running.child.kill('SIGKILL')
      client.close()
      data.remove()
    },
  }
}
