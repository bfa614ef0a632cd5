/** Stores, a pipeline, and what people do to the issues of its events. */
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLogger } from '@sonde/base'
import type { RunningJob } from '@sonde/jobs'
import { createIssueMoves, type MovesOptions, type Pipeline, startMoves } from '../../src/index.ts'
import { errorEnvelope, openHarness, until as untilWithin } from '../commit/harness.ts'

export type MovesHarness = Awaited<ReturnType<typeof openMovesHarness>>

/** Deletions of the engine take their time on a busy machine. */
export const until = (condition: () => boolean | Promise<boolean>, what: string): Promise<void> =>
  untilWithin(condition, what, 60_000)

export async function openMovesHarness() {
  const harness = await openHarness()
  const { records, telemetry, clock } = harness
  const moves = createIssueMoves({ records, telemetry, clock })
  let lastEvent = 0
  return {
    ...harness,
    moves,
    startMoves: (pipeline: Pick<Pipeline, 'state'>, more: Partial<MovesOptions> = {}): RunningJob =>
      startMoves({ records, telemetry, clock, logger: silentLogger, pipeline, ...more }),
    /** One event each, in this order, and waits until they are counted. */
    async send(project: number, kinds: readonly string[]): Promise<void> {
      const before = await this.counted(project)
      for (const kind of kinds) {
        await harness.append(project, errorEnvelope(++lastEvent, kind))
        // Which of two events of one millisecond is the later one, nobody can say.
        await sleep(2)
      }
      await until(async () => (await this.counted(project)) === before + kinds.length, 'events are counted')
    },
    async counted(project: number): Promise<number> {
      return (await harness.issues(project)).reduce((sum, issue) => sum + issue.event_count, 0)
    },
    async issue(project: number, shortNumber: number) {
      const found = (await harness.issues(project)).find((issue) => issue.short_number === shortNumber)
      if (!found) throw new Error(`there is no issue ${shortNumber}`)
      return found
    },
    async settled(project: number): Promise<void> {
      let trouble = ''
      await until(async () => {
        const open = await records
          .selectFrom('issue_move')
          .select('trouble')
          .where('project_id', '=', project)
          .where('finished_ms', 'is', null)
          .execute()
        trouble = open.map((row) => row.trouble).join(' ')
        return open.length === 0
      }, 'events have moved').catch((error: unknown) => {
        throw new Error(`events have not moved: ${trouble}`, { cause: error })
      })
    },
    /** Number of the issue → kinds of its events with their numbers; as the rows lie. */
    async stored(project: number): Promise<Record<number, Record<string, number>>> {
      const rows = await telemetry.query<{ issue: number; kind: string; n: number }>(
        `SELECT issue_id AS issue, exception_type AS kind, count() AS n FROM events
         WHERE project_id = {project:UInt32} GROUP BY issue, kind ORDER BY kind`,
        { project },
      )
      const numbers = new Map((await harness.issues(project)).map((issue) => [issue.id, issue.short_number]))
      const shown: Record<number, Record<string, number>> = {}
      for (const { issue, kind, n } of rows) (shown[numbers.get(issue) ?? -issue] ??= {})[kind] = n
      return shown
    },
    /** Number → count, of those that lists show. */
    async counts(project: number): Promise<Record<number, number>> {
      const issues = await harness.issues(project)
      return Object.fromEntries(
        issues
          .filter((issue) => issue.event_count > 0)
          .map((issue) => [issue.short_number, issue.event_count]),
      )
    },
    /** Events that are not once in both tables, or whose index names another issue. */
    async misplaced(project: number): Promise<readonly string[]> {
      const rows = await telemetry.query<{ place: string }>(
        `SELECT place FROM (
           SELECT concat(toString(event_id), ' in ', toString(issue_id)) AS place, 1 AS inEvents, 0 AS inIndex
           FROM events WHERE project_id = {project:UInt32}
           UNION ALL
           SELECT concat(toString(event_id), ' in ', toString(issue_id)), 0, 1
           FROM event_index WHERE project_id = {project:UInt32})
         GROUP BY place HAVING sum(inEvents) != 1 OR sum(inIndex) != 1 ORDER BY place`,
        { project },
      )
      return rows.map(({ place }) => place)
    },
  }
}
