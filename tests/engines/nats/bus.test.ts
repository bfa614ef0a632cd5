/** The bus over a real NATS server: the contract of every bus, and what only this one has. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { connect } from '@nats-io/transport-node'
import { createLive } from '@sonde/api'
import { type Logger, type NetworkBus, silentLogger, systemClock } from '@sonde/base'
import { busConformance, settled } from '@sonde/base/bus-conformance'
import { startJob } from '@sonde/jobs'
import { openNatsBus } from '@sonde/log/nats'
import type { Records } from '@sonde/stores'
import { openTestRecords } from '../../harness/engines.ts'
import { type NatsServers, startNats } from '../../harness/servers/nats.ts'
import { until } from './until.ts'

describe('the bus over NATS', () => {
  let servers: NatsServers
  const open: NetworkBus[] = []
  before(async () => {
    servers = await startNats()
  })
  after(async () => {
    for (const bus of open) await bus.close()
    await servers?.stop()
  })
  const newPrefix = (): string => `t${randomUUID().slice(0, 8)}`
  const openBus = (prefix: string, logger: Logger = silentLogger): NetworkBus => {
    const bus = openNatsBus({ url: servers.url, prefix, logger })
    open.push(bus)
    return bus
  }

  busConformance('over NATS', async () => {
    const prefix = newPrefix()
    const nodes = [openBus(prefix), openBus(prefix)] as const
    return {
      nodes,
      async close() {
        for (const bus of nodes) await bus.close()
      },
    }
  })

  it('carries nothing to a Sonde with another prefix', async () => {
    const [own, other] = [newPrefix(), newPrefix()]
    const [a, b] = [openBus(own), openBus(own)]
    const [stranger, beside] = [openBus(other), openBus(other)]
    const heard: string[] = []
    stranger.subscribe('setting.changed', ({ name }) => heard.push(name))
    await settled(beside, stranger)
    await settled(a, b)
    a.publish('setting.changed', { name: 'own' })
    await settled(a, b)
    await settled(beside, stranger)
    assert.deepEqual(heard, [])
  })

  it('hands on nothing that is not a message of its topic, and says so once', async () => {
    const prefix = newPrefix()
    let warnings = 0
    const logger = { ...silentLogger, warn: () => void warnings++ } as unknown as Logger
    const [a, b] = [openBus(prefix), openBus(prefix, logger)]
    const heard: string[] = []
    b.subscribe('job.wake', ({ job }) => job.startsWith('last word') || heard.push(job))
    await settled(a, b)
    const network = await connect({ servers: servers.url })
    for (const text of [
      '',
      '{',
      'null',
      '7',
      '{"job":7}',
      `{"job":"${'x'.repeat(600_000)}"}`,
      '{"job":"\\u0000"}',
    ])
      network.publish(`${prefix}.bus.job.wake`, text)
    network.publish(`${prefix}.bus.job.wake`, '{"job":"good","more":1}')
    await until(() => heard.length > 0, 'the good one is heard')
    await network.close()
    assert.deepEqual([heard, warnings], [['good'], 1])
  })

  it('loses what is published while the server is away, throws nothing, and tells when it is back', async () => {
    const prefix = newPrefix()
    const [a, b] = [openBus(prefix), openBus(prefix)]
    const heard = { here: [] as string[], there: [] as string[] }
    a.subscribe('setting.changed', ({ name }) => heard.here.push(name))
    b.subscribe('setting.changed', ({ name }) => heard.there.push(name))
    await settled(a, b)
    let back = 0
    b.onConnect(() => back++)
    const [node] = servers.nodes
    await node?.kill()
    await until(() => !a.isConnected() && !b.isConnected(), 'both notice')
    a.publish('setting.changed', { name: 'while away' })
    await until(() => heard.here.length === 1, 'the own process hears it all the same')
    const late = openBus(prefix)
    late.subscribe('setting.changed', ({ name }) => heard.there.push(`late ${name}`))
    await node?.start()
    await until(() => back === 1 && late.isConnected(), 'it is back')
    await settled(a, b)
    await settled(a, late)
    a.publish('setting.changed', { name: 'again' })
    await until(() => heard.there.length === 2, 'all are told again')
    assert.deepEqual(heard.there.toSorted(), ['again', 'late again'])
  })

  it('tells a browser what another node stored, and lets it ask anew when the server is back', async () => {
    const prefix = newPrefix()
    const [pipeline, web] = [openBus(prefix), openBus(prefix)]
    const { records, close } = await openTestRecords()
    const { projectId, orgId, issueId } = await anIssue(records)
    const live = createLive({ bus: web, records, logger: silentLogger, gapMs: 1 })
    const listener = { actor: 'user:1', orgId, projectIds: undefined, mayListen: async () => true }
    await settled(pipeline, web)
    const reader = live.open(listener)
    assert.ok(typeof reader === 'object')
    let text = ''
    const reading = (async () => {
      for await (const chunk of reader) text += Buffer.from(chunk).toString()
    })()
    const changed = { projects: [projectId], issues: [issueId], created: [issueId], regressed: [] }
    const sentMs = performance.now()
    pipeline.publish('issues.changed', changed)
    await until(() => text.includes('event: changes'), 'the browser is told')
    assert.ok(performance.now() - sentMs < 1_000)
    assert.match(text, new RegExp(`"project":${projectId},"issues":\\[${issueId}\\]`))
    const [node] = servers.nodes
    await node?.kill()
    await until(() => !web.isConnected(), 'it notices')
    await node?.start()
    // The stream ends, which is when a browser asks.
    await reading
    live.close()
    await close()
  })

  it('wakes a job on the node that runs it, and lets it look when the server is back', async () => {
    const prefix = newPrefix()
    const [web, maintain] = [openBus(prefix), openBus(prefix)]
    const { records, close } = await openTestRecords()
    let runs = 0
    const run = async () => {
      runs++
      return 'done' as const
    }
    const host = { records, clock: systemClock, logger: silentLogger, bus: maintain }
    const job = startJob(host, { name: 'sweep', run, lookEveryMs: 3_600_000 })
    await until(() => runs > 0, 'it looks at its start')
    await settled(web, maintain)
    const before = runs
    const sentMs = performance.now()
    web.publish('job.wake', { job: 'sweep' })
    await until(() => runs > before, 'it is woken')
    assert.ok(performance.now() - sentMs < 1_000)
    const then = runs
    const [node] = servers.nodes
    await node?.kill()
    await until(() => !maintain.isConnected(), 'it notices')
    await node?.start()
    await until(() => runs > then, 'it looks again')
    await job.stop()
    await close()
  })
})

async function anIssue(records: Records) {
  const { id: orgId } = await records
    .insertInto('organization')
    .values({ slug: 'acme', name: 'Acme', created_ms: 0 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: projectId } = await records
    .insertInto('project')
    .values({ org_id: orgId, slug: 'shop', name: 'Shop', platform: 'node', created_ms: 0 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: issueId } = await records
    .insertInto('issue')
    .values({
      project_id: projectId,
      short_number: 1,
      type: 'error',
      level: 'error',
      title: 'Error',
      culprit: '',
      platform: 'node',
      metadata: '{}',
      logger: '',
      is_unhandled: 0,
      first_seen_ms: 0,
      last_seen_ms: 0,
      event_count: 1,
      first_release: '',
      last_release: '',
      last_event_id: '',
      created_ms: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { orgId, projectId, issueId }
}
