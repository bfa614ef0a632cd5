/**
 * Check-ins of a batch for the job that judges monitors, in the order of the log. Within the transaction that moves the position:
 * a batch that is repeated notes them once.
 */
import type { CronArrival, Records } from '@sonde/stores'
import type { ProcessedRows } from '../process/processed.ts'

/** A monitor that sends without end says nothing more with what comes before its last ones; the rows of telemetry have all. */
const LAST_OF_MONITOR = 50
/** Statements have a number of values that they take. */
const ROWS_AT_ONCE = 200

export async function noteCheckIns(tx: Records, items: readonly ProcessedRows[]): Promise<void> {
  const noted = lastOfEach(items.filter(isCheckIn))
  for (let at = 0; at < noted.length; at += ROWS_AT_ONCE)
    await tx
      .insertInto('cron_arrival')
      .values(
        noted.slice(at, at + ROWS_AT_ONCE).map(({ projectId, receivedMs, checkIn }) => ({
          project_id: projectId,
          received_ms: receivedMs,
          value: JSON.stringify(checkIn),
        })),
      )
      .execute()
}

type CheckIn = ProcessedRows & { readonly checkIn: CronArrival }
const isCheckIn = (item: ProcessedRows): item is CheckIn => item.checkIn !== undefined

function lastOfEach(items: readonly CheckIn[]): readonly CheckIn[] {
  const left = new Map<string, number>()
  return items
    .toReversed()
    .filter(({ projectId, checkIn: { slug, environment } }) => {
      const key = `${projectId} ${slug} ${environment}`
      const count = (left.get(key) ?? 0) + 1
      left.set(key, count)
      return count <= LAST_OF_MONITOR
    })
    .toReversed()
}
