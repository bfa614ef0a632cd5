import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { fixedClock } from '@sonde/base'
import type { NodeState } from '@sonde/stores'
import { type Fixture, openTestRecords } from '../../../../tests/harness/engines.ts'
import type { NodeFigures } from '../../src/doctor/node-figures.ts'
import { lookAtNodes } from '../../src/doctor/nodes.ts'

const NOW_MS = Date.UTC(2026, 0, 31, 12, 0, 0)
const QUIET: NodeFigures = { trouble: '', processes: [], parts: [], freeBytes: 5e9, sizeBytes: 10e9 }

type Given = {
  readonly name: string
  readonly roles: readonly string[]
  readonly pid?: number
  readonly version?: string
  readonly state?: NodeState
  readonly secondsAgo?: number
  readonly figures?: Partial<NodeFigures>
}

describe('the nodes, as the doctor sees them', () => {
  let fixture: Omit<Fixture, 'telemetry'>
  const clock = fixedClock(NOW_MS)
  before(async () => {
    fixture = await openTestRecords()
  })
  after(() => fixture.close())

  const lookAt = async (given: readonly Given[], own?: { host: string; pid: number }) => {
    await fixture.records.deleteFrom('node').execute()
    for (const { name, roles, pid, version = '1.0.0', state = 'ready', secondsAgo = 1, figures } of given)
      await fixture.records
        .insertInto('node')
        .values({
          name,
          run: name,
          host: name.split(':')[0] ?? '',
          back_pid: pid ?? null,
          version,
          roles: JSON.stringify(roles),
          state,
          started_ms: NOW_MS - 3_600_000,
          seen_ms: NOW_MS - secondsAgo * 1_000,
          figures: JSON.stringify({ ...QUIET, ...figures }),
        })
        .execute()
    const partitions = [0, 1, 2].map((at) => ({
      stream: `log_${at}`,
      records: at,
      bytes: at,
      oldestAgeMs: at * 1_000,
    }))
    return lookAtNodes(
      fixture.records,
      { depthBytes: 3, keptBytes: 3, oldestAgeMs: 2_000, partitions },
      clock,
      own,
    )
  }
  const ALL = ['ingest', 'pipeline', 'web', 'alerts', 'maintain']

  it('are nothing to tell of where there is one alone', async () => {
    assert.deepEqual(await lookAt([]), { nodes: [], parts: [] })
    const alone = await lookAt([{ name: 'a:3000', roles: ALL, pid: 7 }], { host: 'a', pid: 7 })
    assert.deepEqual(alone, { nodes: [], parts: [] })
  })

  it('are named with roles, versions and the partitions that each works on', async () => {
    const lease = (partition: number, owner: string, seconds: number) => ({
      name: `log partition ${partition}`,
      owner,
      expires_ms: NOW_MS + seconds * 1_000,
    })
    await fixture.records
      .insertInto('job_lease')
      .values([
        lease(2, 'b 12 x', 5),
        lease(0, 'b 12 x', 5),
        // Of another process of the same machine, and one that is over.
        lease(1, 'b 123 y', 5),
        { name: 'log partition member b 12 x', owner: 'b 12 x', expires_ms: NOW_MS + 5_000 },
      ])
      .execute()
    const { nodes, parts } = await lookAt([
      { name: 'a:3000', roles: ['ingest'] },
      { name: 'b:3000', roles: ['pipeline', 'alerts', 'maintain'], pid: 12, version: '1.1.0' },
      { name: 'c:3000', roles: ['web'], pid: 13 },
    ])
    assert.deepEqual(
      nodes.map(({ name, state, partitions, lagMs }) => [name, state, partitions, lagMs]),
      [
        ['a:3000', 'ready', [], 0],
        ['b:3000', 'ready', [0, 2], 2_000],
        ['c:3000', 'ready', [], 0],
      ],
    )
    assert.deepEqual(parts, [
      {
        name: 'nodes',
        state: 'ok',
        detail:
          '3 running (1 ingest, 1 pipeline, 1 web, 1 alerts, 1 maintain). different versions: 1.0.0 on a:3000, c:3000; 1.1.0 on b:3000',
      },
    ])
  })

  it('are missing after 20 seconds of silence, with since when, and what only they did is named', async () => {
    const { nodes, parts } = await lookAt([
      { name: 'a:3000', roles: ['ingest', 'web'], secondsAgo: 20 },
      { name: 'b:3000', roles: ['pipeline', 'maintain'], pid: 12, secondsAgo: 3_601, version: '0.9.0' },
    ])
    assert.deepEqual(
      nodes.map(({ state, partitions }) => [state, partitions]),
      [
        ['ready', []],
        ['missing', []],
      ],
    )
    assert.deepEqual(parts, [
      {
        name: 'nodes',
        state: 'degraded',
        detail:
          '1 running (1 ingest, 1 web). b:3000 (pipeline, maintain) is missing since 2026-01-31 10:59 UTC: start it again, or wait until its line goes, a day after that. no node has the role pipeline, alerts, maintain',
      },
    ])
  })

  it('say what is wrong with the app processes of others', async () => {
    const stuck = { name: 'pipeline', state: 'degraded' as const, detail: 'retrying to commit a batch' }
    const figures = { parts: [stuck, { name: 'back', state: 'ok' as const, detail: 'running' }] }
    const { parts } = await lookAt(
      [
        { name: 'a:3000', roles: ALL, pid: 1, figures },
        { name: 'b:3000', roles: ALL, pid: 2, figures },
        { name: 'c:3000', roles: ALL, pid: 3, figures, secondsAgo: 60 },
        {
          name: 'd:3000',
          roles: ['ingest'],
          state: 'not ready',
          figures: { trouble: 'the log cannot be written' },
        },
      ],
      { host: 'a', pid: 1 },
    )
    assert.match(parts[0]?.detail ?? '', /d:3000 is not ready: the log cannot be written$/)
    assert.deepEqual(parts.slice(1), [{ ...stuck, name: 'pipeline of b:3000' }])
  })
})
