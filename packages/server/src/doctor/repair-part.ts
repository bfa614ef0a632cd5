/** Repairs after late source maps as a line of the doctor. */
import type { Records } from '@sonde/stores'
import type { PartReport } from './report.ts'

type Row = {
  readonly started_ms: number | null
  readonly total_count: number | null
  readonly seen_count: number
  readonly trouble: string
}

export async function repairPart(records: Records): Promise<PartReport> {
  const open = await records
    .selectFrom('repair')
    .select(['started_ms', 'total_count', 'seen_count', 'trouble'])
    .where('finished_ms', 'is', null)
    .orderBy('id')
    .execute()
  return describeRepairs(open)
}

export function describeRepairs(open: readonly Row[]): PartReport {
  const name = 'repairs'
  const [first] = open
  if (!first) return { name, state: 'ok', detail: 'none under way' }
  const { trouble, started_ms: startedMs, total_count: total, seen_count: seen } = first
  const waiting = open.length === 1 ? '' : `; ${count(open.length - 1)} more wait`
  if (trouble !== '')
    return {
      name,
      state: 'degraded',
      detail: `events that a source map came late for are read again later: ${trouble}. Nothing is lost, and it is tried again by itself${waiting}.`,
    }
  if (startedMs === null) return { name, state: 'ok', detail: `${count(open.length)} wait to begin` }
  const of = total === null ? '' : ` of ${count(Math.max(total, seen))}`
  return {
    name,
    state: 'ok',
    detail: `${count(seen)}${of} events were read again after a source map came${waiting}`,
  }
}

const count = (number: number): string => number.toLocaleString('en')
