/**
 * How many series of metrics a project may have: what is new beyond that is left out, what was there goes on. Held in memory
 * by day of receipt, and read from the store when a day or the process begins.
 */
import type { OutcomeFields, Records, Telemetry } from '@sonde/stores'
import type { ProcessedRows } from '../process/processed.ts'

/** A program with a hundred metrics of a hundred series each. */
const MAX_SERIES = 10_000
const DAY_MS = 86_400_000

type Day = { readonly day: number; readonly known: Set<string> }
export type SeriesMemory = Map<number, Day>

const memories = new WeakMap<Records, SeriesMemory>()
export function seriesMemoryOf(records: Records): SeriesMemory {
  const memory = memories.get(records) ?? new Map<number, Day>()
  memories.set(records, memory)
  return memory
}

export type Limited = {
  readonly items: readonly ProcessedRows[]
  readonly outcomes: readonly OutcomeFields[]
}

export async function limitSeries(
  telemetry: Pick<Telemetry, 'query'>,
  memory: SeriesMemory,
  items: readonly ProcessedRows[],
  nowMs: number,
  limit = MAX_SERIES,
): Promise<Limited> {
  const outcomes: OutcomeFields[] = []
  const kept: ProcessedRows[] = []
  for (const item of items) {
    const { series, projectId } = item
    if (series === undefined) {
      kept.push(item)
      continue
    }
    const known = await knownSeries(telemetry, memory, projectId, nowMs, limit)
    const isOver = series.map((each) => {
      if (each === '' || known.has(each)) return false
      if (known.size >= limit) return true
      known.add(each)
      return false
    })
    const over = isOver.filter(Boolean).length
    const left = over === 0 ? item : withoutLines(item, isOver, over)
    // Of which nothing is left: sent again, it is looked at again.
    if (Object.keys(left.rows).length > 0) kept.push(left)
    if (over > 0) outcomes.push(overLimit(item, over))
  }
  return { items: kept, outcomes }
}

async function knownSeries(
  telemetry: Pick<Telemetry, 'query'>,
  memory: SeriesMemory,
  projectId: number,
  nowMs: number,
  limit: number,
): Promise<Set<string>> {
  const day = Math.floor(nowMs / DAY_MS)
  const before = memory.get(projectId)
  if (before?.day === day) return before.known
  const rows = await telemetry.query<{ series: string }>(
    `SELECT DISTINCT series FROM metrics
     WHERE project_id = {projectId:UInt32} AND series != '' AND received >= {from:DateTime64(3)} LIMIT {limit:UInt32}`,
    { projectId, from: day * DAY_MS, limit },
  )
  const known = new Set(rows.map(({ series }) => series))
  memory.set(projectId, { day, known })
  return known
}

/** Lines of `TabSeparated` hold no line ends of their own. */
function withoutLines(item: ProcessedRows, isOver: readonly boolean[], over: number): ProcessedRows {
  const { metrics = '', ...others } = item.rows
  const text = typeof metrics === 'string' ? metrics : Buffer.from(metrics).toString('utf8')
  const lines = text.split('\n').filter((_, index) => !isOver[index])
  return {
    ...item,
    counts: item.counts
      .map((count) => ({ ...count, quantity: count.quantity - over }))
      .filter(({ quantity }) => quantity > 0),
    rows: lines.length === 0 ? others : { ...others, metrics: lines.join('\n') },
  }
}

const overLimit = ({ projectId, keyId, receivedMs: atMs, category }: ProcessedRows, quantity: number) => ({
  atMs,
  projectId,
  keyId,
  outcome: 'rate_limited' as const,
  reason: 'series_limit' as const,
  category,
  quantity,
})
