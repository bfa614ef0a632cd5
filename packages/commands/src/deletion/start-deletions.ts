/** Works off the `deletion` table and what attachments leave behind: at the start, when it is woken, and now and then. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock, Logger } from '@sonde/base'
import { deleteRows, type DeletionStores, type PendingDeletion } from './delete-rows.ts'
import { sweepArtifacts } from './sweep-artifacts.ts'
import { sweepAttachments } from './sweep-attachments.ts'
import { sweepDeadLetters } from './sweep-dead-letters.ts'

export type DeletionsOptions = DeletionStores & {
  readonly clock: Clock
  readonly logger: Logger
  /** How long attachments and dead letters are kept; events go by themselves. */
  readonly retentionDays: number
  /** How long uploads are kept since they were last used. */
  readonly artifactRetentionDays: number
}

export type Deletions = {
  /** Looks now: for `CommandDeps.onDeletion`. */
  wake(): void
  /** Ends the step in hand; the rest is left to the next start. */
  stop(): Promise<void>
}

// A mutation takes from milliseconds to minutes; each look costs two small queries a table.
const STEP_EVERY_MS = 1_000
// The command line and other machines delete projects too, and cannot wake this one.
const LOOK_EVERY_MS = 60_000

export function startDeletions(options: DeletionsOptions): Deletions {
  const { records, clock, logger } = options
  const stopping = new AbortController()
  let wakeUp = new AbortController()

  const pause = async (ms: number): Promise<void> => {
    const { signal } = wakeUp
    await sleep(ms, undefined, { signal: AbortSignal.any([signal, stopping.signal]), ref: false }).catch(
      () => undefined,
    )
    wakeUp = new AbortController()
  }

  /** How many are left. */
  const workOff = async (): Promise<number> => {
    let left = 0
    for (const deletion of await pending(options)) {
      if (stopping.signal.aborted) return left
      if ((await deleteRows(options, deletion)) === 'waits') {
        left++
        continue
      }
      const done = { finished_ms: clock.nowMs(), blobs: '[]' }
      await records.updateTable('deletion').set(done).where('id', '=', deletion.id).execute()
      logger.info({ project: deletion.projectId }, 'everything of a deleted project is removed')
    }
    return left
  }

  const sweep = async (): Promise<void> => {
    const sweeping = { ...options, signal: stopping.signal }
    try {
      await sweepDeadLetters(sweeping)
      await sweepArtifacts(sweeping)
      await sweepAttachments(sweeping)
    } catch (error) {
      logger.error(
        { err: error },
        'old attachments, dead letters and uploads could not be removed; trying again',
      )
    }
  }

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await sweep()
      const left = await workOff().catch((error: unknown) => {
        logger.error({ err: error }, 'the rows of a deleted project could not be removed; trying again')
        return undefined
      })
      await pause(left === 0 || left === undefined ? LOOK_EVERY_MS : STEP_EVERY_MS)
    }
  }
  const running = run()
  return {
    wake: () => wakeUp.abort(),
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function pending({ records }: DeletionStores): Promise<readonly PendingDeletion[]> {
  const rows = await records
    .selectFrom('deletion')
    .selectAll()
    .where('finished_ms', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    projectId: row.project_id,
    afterPosition: row.after_position,
    blobs: JSON.parse(row.blobs) as string[],
  }))
}
