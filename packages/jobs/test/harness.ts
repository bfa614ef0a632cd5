/** Records that several loops, as on several nodes, work on; and a job whose work the test steps through. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, silentLogger, systemClock } from '@sonde/base'
import { type Job, type JobHost, type RunningJob, startJob } from '@sonde/jobs'
import { openRecords } from '@sonde/stores'
import { createRecords } from '../../../tests/harness/engines.ts'

export async function openNodes() {
  const dir = await mkdtemp(join(tmpdir(), 'sonde-jobs-'))
  const place = await createRecords(dir)
  const opened = [await openRecords(place, { logger: silentLogger })]
  const running: RunningJob[] = []
  return {
    /** For another process. */
    place: JSON.stringify(place),
    records: opened[0]!.db,
    /** A connection of its own, as another process has it. */
    async host(more: { readonly clock?: Clock; readonly leaseMs?: number } = {}): Promise<JobHost> {
      const own = await openRecords(place, { logger: silentLogger })
      opened.push(own)
      return { records: own.db, clock: systemClock, logger: silentLogger, ...more }
    },
    start(host: JobHost, job: Partial<Job> & Pick<Job, 'run'>): RunningJob {
      const started = startJob(host, { name: 'test', lookEveryMs: 60_000, ...job })
      running.push(started)
      return started
    },
    async lease() {
      return await opened[0]!.db.selectFrom('job_lease').selectAll().executeTakeFirst()
    },
    async close(): Promise<void> {
      for (const job of running) await job.stop()
      for (const { close } of opened) await close()
      await place.remove()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const endMs = performance.now() + 20_000
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error(`not in time: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
