/**
 * Fingerprints are moved between batches only: the project is held, nothing of it is in flight, and no chunk of a reprocessing
 * run is half done, so that rows and counts agree.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { UnavailableError } from '@sonde/base'
import { areEventsOnTheirWay, type Records, writeTransaction } from '@sonde/stores'
import { holdProject } from '../commit/project-holds.ts'
import { isChunkPlanned } from '../reprocess/reprocessing-cursor.ts'

// A batch or a chunk takes well under a second; somebody waits for a page.
const GIVE_UP_MS = 15_000
const LOOK_AGAIN_MS = 50

/**
 * `prepare` reads while nothing changes, `change` runs in a transaction after it. Throws `UnavailableError` when the project
 * does not come to rest; then nothing happened.
 */
export async function whileQuiet<Prepared, Result>(
  records: Records,
  projectId: number,
  prepare: () => Promise<Prepared>,
  change: (tx: Records, prepared: Prepared) => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.timeout(GIVE_UP_MS)
  for (;;) {
    const hold = await holdProject(records, projectId, signal)
    if (hold)
      try {
        const prepared = await prepare()
        const done = await writeTransaction(records, async (tx) => {
          if (!(await hold.isOurs(tx)) || (await isChunkPlanned(tx, projectId))) return undefined
          if (await areEventsOnTheirWay(tx, [projectId])) return undefined
          return { result: await change(tx, prepared) }
        })
        if (done) return done.result
      } finally {
        await hold.release().catch(() => undefined)
      }
    if (signal.aborted) throw isBusy(projectId)
    await sleep(LOOK_AGAIN_MS)
  }
}

const isBusy = (projectId: number): UnavailableError =>
  new UnavailableError('events of the project are being stored or reprocessed just now', {
    operation: 'move fingerprints between issues',
    subject: `project ${projectId}`,
    retryAfterSec: 10,
    hint: 'nothing was changed: try it again in a moment; if it stays so, look at `sonde doctor`',
  })
