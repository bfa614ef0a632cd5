/** Writes down what was measured; what is not there any more becomes nothing, and the day keeps what it had brought. */
import type { Records } from '../records/schema.ts'
import { writeTransaction } from '../records/write-transaction.ts'
import type { StoredDay } from './measure.ts'

// Six values a row; SQLite takes 32,766.
const ROWS_AT_ONCE = 500

/** `measured`: all days from `sinceMs` on. Writes what changed. Repeatable. */
export async function keepStored(
  records: Records,
  measured: readonly StoredDay[],
  sinceMs: number,
): Promise<void> {
  const known = await records.selectFrom('storage_day').selectAll().where('day_ms', '>=', sinceMs).execute()
  const key = (project: number, kind: string, dayMs: number): string => `${project} ${kind} ${dayMs}`
  const before = new Map(known.map((row) => [key(row.project_id, row.kind, row.day_ms), row]))
  const projects = new Set((await records.selectFrom('project').select('id').execute()).map(({ id }) => id))
  const changed = measured.flatMap(({ projectId, kind, dayMs, rows, bytes }) => {
    const name = key(projectId, kind, dayMs)
    const was = before.get(name)
    before.delete(name)
    if (!projects.has(projectId) || (was?.rows === rows && was.bytes === bytes)) return []
    const most = Math.max(was?.most_bytes ?? 0, bytes)
    return [{ project_id: projectId, kind, day_ms: dayMs, rows, bytes, most_bytes: most }]
  })
  const gone = [...before.values()]
    .filter(({ rows, bytes }) => rows > 0 || bytes > 0)
    .map((row) => ({ ...row, rows: 0, bytes: 0 }))
  const all = [...changed, ...gone]
  for (let at = 0; at < all.length; at += ROWS_AT_ONCE) {
    const some = all.slice(at, at + ROWS_AT_ONCE)
    await writeTransaction(records, async (tx) => {
      // A project that was deleted meanwhile has nothing.
      const ids = [...new Set(some.map((row) => row.project_id))]
      const there = await tx.selectFrom('project').select('id').where('id', 'in', ids).execute()
      const rows = some.filter((row) => there.some(({ id }) => id === row.project_id))
      if (rows.length === 0) return
      await tx
        .insertInto('storage_day')
        .values(rows)
        .onConflict((on) =>
          on.columns(['project_id', 'kind', 'day_ms']).doUpdateSet((eb) => ({
            rows: eb.ref('excluded.rows'),
            bytes: eb.ref('excluded.bytes'),
            most_bytes: eb.ref('excluded.most_bytes'),
          })),
        )
        .execute()
    })
  }
}

const KEPT_DAYS = 400

export async function forgetStored(records: Records, nowMs: number): Promise<void> {
  const before = nowMs - KEPT_DAYS * 86_400_000
  await records.deleteFrom('storage_day').where('day_ms', '<', before).where('bytes', '=', 0).execute()
  await records.deleteFrom('disk_day').where('day_ms', '<', before).execute()
}
