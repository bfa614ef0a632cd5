/** Several processes work on one log: each partition by one of them, and another goes on when that dies. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLogger as logger } from '@sonde/base'
import { encodeIntakeHead } from '@sonde/log'
import { inspectNats } from '@sonde/log/nats'
import { openRecords, openTelemetry } from '@sonde/stores'
import { errorEnvelope, eventIdOf } from '../../../packages/pipeline/test/commit/harness.ts'
import { startClickHouse, type TestServers } from '../../harness/servers/clickhouse.ts'
import { type NatsServers, startNats } from '../../harness/servers/nats.ts'
import type { ChildOptions } from './pipeline-child.ts'
import { type NatsLogs, temporaryNatsLog } from './temporary-nats-log.ts'
import { until } from './until.ts'

const PARTITIONS = 4
const PROJECTS = 6
const KINDS = 5
// The lease of who died, the next look, and the start of the work.
const MOVED_WITHIN_MS = 10_000

type Owner = { readonly child: ChildProcess; partitions(): readonly number[] }

describe('two processes and a log on NATS', () => {
  let nats: NatsServers
  let clickhouse: TestServers
  let log: NatsLogs
  const dir = mkdtempSync(join(tmpdir(), 'sonde-owners-'))
  const owners: Owner[] = []

  const startOwner = (): Owner => {
    const { prefix = '' } = log.options
    const options: ChildOptions = {
      dir,
      nats: { url: nats.url, prefix, partitions: PARTITIONS },
      clickhouse: clickhouse.url,
    }
    const child = fork(new URL('pipeline-child.ts', import.meta.url), [JSON.stringify(options)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    let partitions: readonly number[] = []
    child.on('message', (now: readonly number[]) => (partitions = now))
    const owner = { child, partitions: () => partitions }
    owners.push(owner)
    return owner
  }

  before(async () => {
    ;[nats, clickhouse] = await Promise.all([startNats(), startClickHouse()])
    log = await temporaryNatsLog(nats.url, { partitions: PARTITIONS })
  })
  after(async () => {
    for (const { child } of owners) child.kill('SIGKILL')
    await log?.dispose()
    await Promise.all([nats?.stop(), clickhouse?.stop()])
    rmSync(dir, { recursive: true, force: true })
  })

  it('divide the partitions; kill -9 of one under load moves its own to the other, and nothing is lost or doubled', async (context) => {
    const records = await openRecords({ file: join(dir, 'records.sqlite') }, { logger })
    const projects = await createProjects(records.db)
    const telemetry = await openTelemetry({ url: clickhouse.url }, { logger })
    const pouring = pour(log, projects)
    const [first, second] = [startOwner(), startOwner()]
    await until(() => first.partitions().length === 2 && second.partitions().length === 2, 'each has half')
    assert.equal(new Set([...first.partitions(), ...second.partitions()]).size, PARTITIONS)

    const killedMs = performance.now()
    first.child.kill('SIGKILL')
    await until(() => second.partitions().length === PARTITIONS, 'the other has all')
    const movedMs = performance.now() - killedMs
    context.diagnostic(`after a kill all partitions had an owner again within ${Math.round(movedMs)} ms`)
    assert.ok(movedMs < MOVED_WITHIN_MS)
    const third = startOwner()
    await until(() => third.partitions().length === 2, 'who comes gets its share')

    const stoppedMs = performance.now()
    second.child.kill('SIGTERM')
    await until(() => third.partitions().length === PARTITIONS, 'what was given back is taken')
    context.diagnostic(`after a good stop within ${Math.round(performance.now() - stoppedMs)} ms`)

    const sent = await pouring.stop()
    const isEmpty = async () =>
      (await inspectNats(log.options)).partitions.every((partition) => partition.records === 0)
    await until(isEmpty, 'all is committed')
    const count = async (what: string, table: string) =>
      Number((await telemetry.query<{ n: number }>(`SELECT ${what} AS n FROM ${table}`))[0]?.n)
    context.diagnostic(`${sent} events`)
    assert.equal(await count('count()', 'events'), sent)
    assert.equal(await count('uniqExact(event_id)', 'events'), sent)
    assert.equal(await count('count()', 'event_index'), sent)
    assert.equal(await count('sum(quantity)', 'outcomes'), sent)
    const issues = await records.db.selectFrom('issue').select('event_count').execute()
    assert.equal(issues.length, PROJECTS * KINDS)
    assert.equal(
      issues.reduce((sum, issue) => sum + issue.event_count, 0),
      sent,
    )
    await telemetry.close()
    await records.close()
  })
})

async function createProjects(db: Awaited<ReturnType<typeof openRecords>>['db']): Promise<number[]> {
  const org = { slug: 'a', name: 'a', created_ms: 0 }
  const { id } = await db.insertInto('organization').values(org).returning('id').executeTakeFirstOrThrow()
  const projects: number[] = []
  for (let at = 0; at < PROJECTS; at++) {
    const values = { org_id: id, slug: `p${at}`, name: 'p', platform: 'node', created_ms: 0 }
    projects.push(
      (await db.insertInto('project').values(values).returning('id').executeTakeFirstOrThrow()).id,
    )
  }
  return projects
}

/** About 250 events a second for all projects in turn. `stop` says how many there were, each acknowledged. */
function pour({ writer }: NatsLogs, projects: readonly number[]) {
  let sent = 0
  const stopping = new AbortController()
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const burst = Array.from({ length: 5 }, () => {
        const id = sent++
        const projectId = projects[id % projects.length] ?? 0
        const kind = `Kind${Math.floor(id / projects.length) % KINDS}`
        const meta = {
          v: 1,
          kind: 'envelope',
          receivedMs: Date.now(),
          projectId,
          keyId: 1,
          eventId: eventIdOf(id),
        } as const
        return writer.append(encodeIntakeHead(meta), Buffer.from(errorEnvelope(id, kind)), projectId)
      })
      await Promise.all(burst)
      await sleep(20)
    }
  }
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
      return sent
    },
  }
}
