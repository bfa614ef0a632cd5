/** Points of metrics as rows, on the harness' day. */
import type { MetricRef } from '@sonde/queries/contract'
import { type Harness, MINUTE_MS, NOW_MS } from '../harness.ts'

export type Point = {
  readonly name: string
  readonly type: MetricRef['type']
  readonly unit?: string
  readonly temporality?: string
  readonly series?: string
  readonly agoMin: number
  readonly startAgoMin?: number
  readonly value: number
  readonly count?: number
  readonly buckets?: readonly (readonly [from: number, to: number, count: number])[]
  readonly trace_id?: string
  readonly exemplars?: string
  readonly environment?: string
  readonly received?: string
  readonly strings?: Record<string, string>
}

export const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, -1).replace('T', ' ')

export async function putPoints(
  { telemetry }: Pick<Harness, 'telemetry'>,
  projectId: number,
  points: readonly Point[],
): Promise<void> {
  const rows = points.map(({ agoMin, startAgoMin, buckets = [], ...point }, index) => ({
    sample_rate: 1,
    count: 1,
    received: timeText(NOW_MS),
    ...point,
    project_id: projectId,
    // Half a minute off, so that no point lies on the edge of a step.
    timestamp: timeText(NOW_MS - agoMin * MINUTE_MS - MINUTE_MS / 2),
    start: timeText(startAgoMin === undefined ? 0 : NOW_MS - startAgoMin * MINUTE_MS),
    bucket_from: buckets.map(([from]) => from),
    bucket_to: buckets.map(([, to]) => to),
    bucket_counts: buckets.map(([, , count]) => count),
    row_index: index,
  }))
  const text = rows.map((row) => JSON.stringify(row)).join('\n')
  await telemetry.command(`INSERT INTO metrics FORMAT JSONEachRow ${text}`)
}
