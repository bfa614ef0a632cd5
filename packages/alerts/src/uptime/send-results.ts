/**
 * Takes results from the records to telemetry. Rows that go together are marked first, so that after a crash the same rows are
 * inserted with the same token, which telemetry then takes once.
 */
import { encodeUptimeCheckRow, type Records, type Telemetry, type UptimeCheckFields } from '@sonde/stores'

const AT_ONCE = 500

export async function hasResults(records: Records): Promise<boolean> {
  const row = await records.selectFrom('uptime_result').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Returns how many went. One node at a time: the caller has the lease. */
export async function sendResults(records: Records, telemetry: Pick<Telemetry, 'insert'>): Promise<number> {
  const batchId = (await markedBatch(records)) ?? (await markBatch(records))
  if (batchId === undefined) return 0
  const rows = await records
    .selectFrom('uptime_result')
    .select(['id', 'row'])
    .where('batch_id', '=', batchId)
    .orderBy('id')
    .execute()
  const fields = rows.map(({ id, row }): UptimeCheckFields => ({ ...JSON.parse(row), checkId: id }))
  await telemetry.insert('uptime_checks', fields.map(encodeUptimeCheckRow), `uptime:${batchId}`)
  await records.deleteFrom('uptime_result').where('batch_id', '=', batchId).execute()
  return rows.length
}

/** One that a process left. */
async function markedBatch(records: Records): Promise<number | undefined> {
  const row = await records
    .selectFrom('uptime_result')
    .select('batch_id')
    .where('batch_id', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row?.batch_id ?? undefined
}

async function markBatch(records: Records): Promise<number | undefined> {
  const rows = await records.selectFrom('uptime_result').select('id').orderBy('id').limit(AT_ONCE).execute()
  const [first] = rows
  if (!first) return undefined
  await records
    .updateTable('uptime_result')
    .set({ batch_id: first.id })
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  return first.id
}
