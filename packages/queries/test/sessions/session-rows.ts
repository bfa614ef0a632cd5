/** Rows of sessions in which only what a test is about has to be said. */
import { encodeSessionRow, type SessionFields } from '@sonde/stores'
import { type Harness, MINUTE_MS, NOW_MS } from '../harness.ts'

export function sessionRows({ telemetry }: Pick<Harness, 'telemetry'>) {
  let last = 0
  return async (projectId: number, rows: readonly Partial<SessionFields>[]): Promise<void> => {
    const lines = rows.map((row) =>
      encodeSessionRow({
        projectId,
        receivedMs: NOW_MS - MINUTE_MS,
        logPosition: ++last,
        itemIndex: 0,
        startedMs: NOW_MS - 10 * MINUTE_MS,
        sessionId: (++last).toString(16).padStart(32, '0'),
        release: 'shop@1',
        environment: 'production',
        userHash: '',
        status: 'exited',
        healthy: row.errored || row.unhandled || row.abnormal || row.crashed ? 0 : 1,
        errored: 0,
        unhandled: 0,
        abnormal: 0,
        crashed: 0,
        errors: 0,
        durationMs: undefined,
        sdkName: 'sentry.javascript.browser',
        version: last,
        ...row,
      }),
    )
    await telemetry.insert('sessions', lines, `sessions-${++last}`)
  }
}
