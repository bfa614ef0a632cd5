/** What the rules of projects take away: whole days of a kind, one statement a table for all projects together. */
import type { Clock, Logger } from '@sonde/base'
import {
  ageColumnOf,
  type Records,
  retentionCut,
  type StorageKind,
  STORAGE_KIND_NAMES,
  storageDay,
  storageKindInfo,
  type Telemetry,
} from '@sonde/stores'
import { deleteOldFiles } from './delete-old-files.ts'

export type RetentionOptions = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'deleteRows'>
  readonly clock: Clock
  readonly logger: Logger
}

/** Of a kind of one project everything before a day goes. */
export type Cut = {
  readonly projectId: number
  readonly kind: StorageKind
  readonly beforeMs: number
  readonly bytes: number
}

/** What the rules say today. */
export async function retentionCuts({
  records,
  clock,
}: Pick<RetentionOptions, 'records' | 'clock'>): Promise<readonly Cut[]> {
  const rules = await records.selectFrom('retention_rule').selectAll().execute()
  if (rules.length === 0) return []
  const ids = [...new Set(rules.map((rule) => rule.project_id))]
  const days = Map.groupBy(
    await records
      .selectFrom('storage_day')
      .select(['project_id', 'kind', 'day_ms as dayMs', 'rows', 'bytes'])
      .where('project_id', 'in', ids)
      .execute(),
    (row) => `${row.project_id} ${row.kind}`,
  )
  return rules.flatMap(({ project_id, kind, keep_days, max_bytes }) => {
    const rule = { keepDays: keep_days, maxBytes: max_bytes }
    const cut = retentionCut(rule, days.get(`${project_id} ${kind}`) ?? [], storageDay(clock.nowMs()))
    return cut ? [{ projectId: project_id, kind, beforeMs: cut.beforeMs, bytes: cut.bytes }] : []
  })
}

/** Each is a condition of the statement. */
const CUTS_AT_ONCE = 100

/** One step. May be interrupted anywhere and called again, until it says `done`. */
export async function applyCuts(
  options: RetentionOptions,
  cuts: readonly Cut[],
  signal: AbortSignal,
): Promise<'done' | 'waits'> {
  let waits = false
  for (const kind of STORAGE_KIND_NAMES) {
    const of = cuts.filter((cut) => cut.kind === kind)
    const { tables, blobs } = storageKindInfo(kind)
    for (let at = 0; at < of.length && !signal.aborted; at += CUTS_AT_ONCE) {
      const some = of.slice(at, at + CUTS_AT_ONCE)
      for (const table of tables) {
        const where = some.map(
          ({ projectId, beforeMs }) =>
            `(project_id = ${projectId} AND ${ageColumnOf(table)} < toDateTime(${beforeMs / 1_000}, 'UTC'))`,
        )
        if ((await options.telemetry.deleteRows(table, where.join(' OR '), {}, 'with-bytes')) > 0)
          waits = true
      }
      if (blobs) for (const cut of some) await deleteOldFiles(options, blobs, cut, signal)
    }
  }
  return waits || signal.aborted ? 'waits' : 'done'
}

export function sayCuts({ logger }: RetentionOptions, cuts: readonly Cut[]): void {
  const projects = new Set(cuts.map(({ projectId }) => projectId)).size
  const bytes = cuts.reduce((sum, cut) => sum + cut.bytes, 0)
  logger.info({ projects, bytes }, 'retention rules took old data away')
}
