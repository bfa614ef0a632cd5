/** What the operator's page shows besides the parts: queues, slow statements, the engine's own work, and our own log. */
import type { Records, Telemetry } from '@sonde/stores'
import type { OperatorLog, OperatorQueue, OperatorTable, OperatorWork } from '@sonde/web/server'
import { askBack } from '../internal/ask-back.ts'
import { type FrontState, LOG_PATH, type LogControl, type LogState } from '../internal/log-control.ts'
import type { SlowStatements } from '../observe/statements.ts'

export type WorkDeps = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'query'>
  readonly slow: Pick<SlowStatements, 'list'>
  readonly log: Pick<LogControl, 'state'>
  /** Of the other process of this node. */
  readonly frontSocket: string
}

const FRONT_WITHIN_MS = 1_000
const PROBLEMS = 30

/** What cannot be read is left out: the part that is away says so itself, and the rest is needed most just then. */
export async function lookAtWork(deps: WorkDeps): Promise<OperatorWork> {
  const { records, telemetry, slow, log, frontSocket } = deps
  const [queues, tables, merges, mutations, front] = await Promise.all([
    Promise.all(QUEUES.map(({ name, read }) => readQueue(name, read, records))),
    telemetry.query<OperatorTable>(TABLES).catch(() => []),
    telemetry.query<OperatorWork['merges'][number]>(MERGES).catch(() => []),
    telemetry.query<OperatorWork['mutations'][number]>(MUTATIONS).catch(() => []),
    askBack(frontSocket, 'GET', LOG_PATH, { timeoutMs: FRONT_WITHIN_MS }).catch(() => undefined),
  ])
  const state = front === undefined ? undefined : (JSON.parse(front) as FrontState)
  const logs = [...(state ? [logOf('front', state)] : []), logOf('back', log.state())]
  const clockAheadMs = state?.clockAheadMs
  return { queues, slow: slow.list(), tables, merges, mutations, logs, clockAheadMs }
}

const logOf = (name: OperatorLog['name'], { level, configured, forMs, problems }: LogState): OperatorLog => ({
  name,
  level,
  configured,
  forMs,
  problems: problems.slice(0, PROBLEMS),
})

// Of the server that answers: on a cluster each shard has its own.
const TABLES = `SELECT table, toUInt32(count()) AS parts, sum(rows) AS rows, sum(bytes_on_disk) AS bytes,
  toUInt32(max(parts_of_partition)) AS mostParts
  FROM (SELECT table, rows, bytes_on_disk, count() OVER (PARTITION BY table, partition_id) AS parts_of_partition
    FROM system.parts WHERE active AND database = currentDatabase())
  GROUP BY table ORDER BY bytes DESC LIMIT 50`
const MERGES = `SELECT table, elapsed * 1000 AS elapsedMs, progress, toUInt32(num_parts) AS parts,
  total_size_bytes_compressed AS bytes FROM system.merges WHERE database = currentDatabase() ORDER BY elapsed DESC LIMIT 20`
const MUTATIONS = `SELECT table, toUnixTimestamp(create_time) * 1000 AS sinceMs, toUInt32(parts_to_do) AS partsLeft,
  latest_fail_reason != '' AS hasFailed FROM system.mutations
  WHERE database = currentDatabase() AND NOT is_done ORDER BY create_time LIMIT 20`

type QueueRow = { readonly waiting: number; readonly oldestMs: number | null }
type ReadQueue = (records: Records) => Promise<QueueRow>

async function readQueue(name: string, read: ReadQueue, records: Records): Promise<OperatorQueue> {
  try {
    const { waiting, oldestMs } = await read(records)
    return { name, waiting, oldestMs: oldestMs ?? undefined }
  } catch {
    return { name, waiting: undefined, oldestMs: undefined }
  }
}

/** In the order of the page. What is behind the log has figures of its own. */
const QUEUES: readonly { readonly name: string; readonly read: ReadQueue }[] = [
  {
    name: 'notifications',
    read: (records) =>
      records
        .selectFrom('notification')
        .select((eb) => [eb.fn.countAll<number>().as('waiting'), eb.fn.min('created_ms').as('oldestMs')])
        .where('state', 'in', ['waiting', 'sending'])
        .executeTakeFirstOrThrow(),
  },
  {
    name: 'account mail',
    read: (records) =>
      records
        .selectFrom('account_mail')
        .select((eb) => [eb.fn.countAll<number>().as('waiting'), eb.fn.min('created_ms').as('oldestMs')])
        .executeTakeFirstOrThrow(),
  },
  {
    // With runs that apply scrubbing rules to what is stored.
    name: 'reprocessing',
    read: (records) =>
      records
        .selectFrom('repair')
        .select((eb) => [eb.fn.countAll<number>().as('waiting'), eb.fn.min('requested_ms').as('oldestMs')])
        .where('finished_ms', 'is', null)
        .executeTakeFirstOrThrow(),
  },
  {
    name: 'issue moves',
    read: (records) =>
      records
        .selectFrom('issue_move')
        .select((eb) => [eb.fn.countAll<number>().as('waiting'), eb.fn.min('requested_ms').as('oldestMs')])
        .where('finished_ms', 'is', null)
        .executeTakeFirstOrThrow(),
  },
  {
    name: 'deletions of issues',
    read: (records) =>
      records
        .selectFrom('issue_deletion')
        .select((eb) => [eb.fn.countAll<number>().as('waiting'), eb.fn.min('requested_ms').as('oldestMs')])
        .where('finished_ms', 'is', null)
        .executeTakeFirstOrThrow(),
  },
  {
    name: 'deletions of replays',
    read: (records) =>
      records
        .selectFrom('replay_deletion')
        .select((eb) => [eb.fn.countAll<number>().as('waiting'), eb.fn.min('requested_ms').as('oldestMs')])
        .executeTakeFirstOrThrow(),
  },
  {
    name: 'erasures of persons',
    read: (records) =>
      records
        .selectFrom('erasure')
        .select((eb) => [eb.fn.countAll<number>().as('waiting'), eb.fn.min('requested_ms').as('oldestMs')])
        .where('finished_ms', 'is', null)
        .executeTakeFirstOrThrow(),
  },
  {
    name: 'uploads being assembled',
    read: (records) =>
      records
        .selectFrom('artifact_assembly')
        .select((eb) => [eb.fn.countAll<number>().as('waiting'), eb.fn.min('updated_ms').as('oldestMs')])
        .where('state', 'in', ['created', 'assembling'])
        .executeTakeFirstOrThrow(),
  },
]
