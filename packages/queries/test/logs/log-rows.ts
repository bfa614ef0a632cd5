/** Lines of logs as the pipeline stores them. */
import { type Harness, MINUTE_MS, NOW_MS } from '../harness.ts'

export type LogLine = {
  readonly severity?: string
  readonly severity_number?: number
  readonly body: string
  readonly trace_id?: string
  readonly release?: string
  readonly environment?: string
  readonly agoMs?: number
  readonly receivedMs?: number
  readonly sequence?: number
  readonly strings?: Record<string, string>
  readonly numbers?: Record<string, number>
}

export const logRows =
  ({ telemetry }: Harness) =>
  async (projectId: number, lines: readonly LogLine[]): Promise<void> => {
    const rows = lines.map(({ agoMs = MINUTE_MS, receivedMs = NOW_MS - 1, ...line }, index) => ({
      severity: 'info',
      sample_rate: 1,
      ...line,
      project_id: projectId,
      timestamp: timeText(NOW_MS - agoMs),
      received: timeText(receivedMs),
      log_position: 7,
      row_index: index,
    }))
    const text = rows.map((row) => JSON.stringify(row)).join('\n')
    await telemetry.command(`INSERT INTO logs FORMAT JSONEachRow ${text}`)
  }

const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, -1).replace('T', ' ')
