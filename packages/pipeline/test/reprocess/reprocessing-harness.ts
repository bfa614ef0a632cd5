/** Stores, a pipeline and the reprocessing on them; and what a reprocessing run leaves, in a form that can be compared. */
import { silentLogger } from '@sonde/base'
import type { RunningJob } from '@sonde/jobs'
import type { ReprocessingTarget } from '@sonde/stores'
import { type Pipeline, type ReprocessingOptions, startReprocessing } from '../../src/index.ts'
import { openHarness, until as untilWithin } from '../commit/harness.ts'
import { type LateMap, reprocessWith } from './late-map.ts'

/** A reprocessing run waits for deletions of the engine, which take their time on a busy machine. */
export const until = (condition: () => boolean | Promise<boolean>, what: string): Promise<void> =>
  untilWithin(condition, what, 60_000)

export type ReprocessingHarness = Awaited<ReturnType<typeof openReprocessingHarness>>

export async function openReprocessingHarness() {
  const harness = await openHarness()
  const { records, telemetry, clock } = harness
  const { id: orgId } = await records.selectFrom('organization').select('id').executeTakeFirstOrThrow()
  return {
    ...harness,
    orgId,
    async ask(target: Partial<ReprocessingTarget>, cause: 'upload' | 'asked' = 'upload'): Promise<number> {
      const whole = { debugIds: [], projectIds: [], ...target }
      const row = await records
        .insertInto('repair')
        .values({
          org_id: orgId,
          cause,
          actor: 'user:u1',
          target: JSON.stringify(whole),
          requested_ms: clock.nowMs(),
          started_ms: null,
          finished_ms: null,
          total_count: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return row.id
    },
    startReprocessing(pipeline: Pipeline, map: LateMap, more: Partial<ReprocessingOptions> = {}): RunningJob {
      const reprocess = reprocessWith(() => map)
      const reading = { ...pipeline, reprocess }
      return startReprocessing({
        records,
        telemetry,
        clock,
        logger: silentLogger,
        pipeline: reading,
        ...more,
      })
    },
    reprocessing: (id: number) =>
      records.selectFrom('repair').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    async finished(id: number): Promise<void> {
      let trouble = ''
      const isFinished = async (): Promise<boolean> => {
        const row = await this.reprocessing(id)
        trouble = row.trouble
        return row.finished_ms !== null
      }
      await until(isFinished, `reprocessing ${id} is finished`).catch((error: unknown) => {
        throw new Error(`reprocessing ${id}: ${trouble}`, { cause: error })
      })
    },
    async stored(project: number, count: number): Promise<void> {
      await until(
        async () =>
          (await harness.issues(project)).reduce((sum, issue) => sum + issue.event_count, 0) === count,
        `${count} events are counted`,
      )
    },
    /** Issues with their events, by title: what is shown. */
    async shown(project: number): Promise<Record<string, readonly string[]>> {
      const issues = await harness.issues(project)
      const rows = await harness.events(project)
      return Object.fromEntries(
        issues.map((issue) => [
          `${issue.short_number} ${issue.title} (${issue.event_count})`,
          rows
            .filter((row) => row.issue_id === issue.id)
            .map((row) => String(Number.parseInt(row.event_id, 16) % 0x100))
            .sort(),
        ]),
      )
    },
    /** Rows of the index that do not name where their event is; each event once in both tables. */
    async misplaced(project: number): Promise<readonly string[]> {
      const places = (table: string) =>
        telemetry.query<{ place: string }>(
          `SELECT concat(toString(event_id), ' in ', toString(issue_id)) AS place FROM ${table}
           WHERE project_id = {project:UInt32} ORDER BY place`,
          { project },
        )
      const [events, index] = await Promise.all([places('events'), places('event_index')])
      const all = new Set([...events, ...index].map(({ place }) => place))
      const counts = (rows: readonly { place: string }[], place: string) =>
        rows.filter((row) => row.place === place).length
      return [...all].filter((place) => counts(events, place) !== 1 || counts(index, place) !== 1)
    },
  }
}
