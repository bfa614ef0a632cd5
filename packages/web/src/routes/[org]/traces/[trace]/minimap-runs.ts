/** The whole trace on a small picture: which service worked when, at which depth. As long as the picture is wide. Pure. */
import type { TraceRows } from '../../../../parts/trace/packed-trace.ts'

/** A bar of the picture: lane from above, first and last column. */
export type MinimapRun = {
  readonly lane: number
  readonly from: number
  readonly to: number
  /** Index of the service. */
  readonly service: number
}

export const MINIMAP_COLUMNS = 300
export const MINIMAP_LANES = 12
const EMPTY = -1

/** At most columns × lanes runs, whatever the number of spans. Of several spans in one place the longest is drawn. */
export function minimapRuns(rows: TraceRows, lengthMs: number): MinimapRun[] {
  const cells = new Int32Array(MINIMAP_COLUMNS * MINIMAP_LANES).fill(EMPTY)
  const byLength = Array.from({ length: rows.count }, (_, row) => row).toSorted(
    (a, b) => (rows.durationsMs[a] ?? 0) - (rows.durationsMs[b] ?? 0),
  )
  const columnOf = (ms: number): number =>
    Math.min(MINIMAP_COLUMNS - 1, Math.max(0, Math.floor((ms / Math.max(lengthMs, 1e-9)) * MINIMAP_COLUMNS)))
  for (const row of byLength) {
    const lane = Math.min(rows.depths[row] ?? 0, MINIMAP_LANES - 1)
    const startMs = rows.startsMs[row] ?? 0
    const last = columnOf(startMs + (rows.durationsMs[row] ?? 0))
    const at = lane * MINIMAP_COLUMNS
    cells.fill(rows.services[row] ?? 0, at + columnOf(startMs), at + last + 1)
  }
  const runs: MinimapRun[] = []
  for (let lane = 0; lane < MINIMAP_LANES; lane++) {
    let from = 0
    for (let column = 1; column <= MINIMAP_COLUMNS; column++) {
      const at = lane * MINIMAP_COLUMNS
      const service = cells[at + from] ?? EMPTY
      if (column < MINIMAP_COLUMNS && cells[at + column] === service) continue
      if (service !== EMPTY) runs.push({ lane, from, to: column, service })
      from = column
    }
  }
  return runs
}
