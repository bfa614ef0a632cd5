/** Rows of `profile_functions` as the pipeline writes them. */
import { type Harness, MINUTE_MS, NOW_MS } from '../harness.ts'

const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, -1).replace('T', ' ')

export type FunctionRow = {
  readonly function?: string
  readonly file?: string
  readonly in_app?: 0 | 1
  /** Milliseconds. */
  readonly self_ms?: number
  readonly profile_id?: string
  readonly transaction?: string
  readonly release?: string
  readonly atMs?: number
  readonly receivedMs?: number
}

export const functionRows =
  (harness: Harness) =>
  async (projectId: number, rows: readonly FunctionRow[]): Promise<void> => {
    const texts = rows.map(({ atMs = NOW_MS - MINUTE_MS, receivedMs = NOW_MS - MINUTE_MS, ...row }, index) =>
      JSON.stringify({
        project_id: projectId,
        received: timeText(receivedMs),
        timestamp: timeText(atMs),
        profile_id: index.toString(16).padStart(32, '0'),
        function: 'price',
        file: 'shop.py',
        in_app: 1,
        self_ms: 10,
        total_ms: row.self_ms ?? 10,
        sample_rate: 1,
        ...row,
      }),
    )
    await harness.telemetry.command(`INSERT INTO profile_functions FORMAT JSONEachRow ${texts.join('\n')}`)
  }
