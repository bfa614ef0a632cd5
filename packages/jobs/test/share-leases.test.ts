import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Clock, SondeError, systemClock } from '@sonde/base'
import { type HeldShare, type JobHost, type SharedLeases, shareLeases } from '@sonde/jobs'
import { nowMs, writeTransaction } from '@sonde/stores'
import { openNodes, until } from './harness.ts'

const NAMES = ['0', '1', '2', '3', '4', '5', '6', '7']
const QUICK = { lookMs: 20, leaseMs: 400 }

type Node = { readonly working: Map<string, HeldShare>; readonly leases: SharedLeases }

describe('leases that processes share', () => {
  let nodes: Awaited<ReturnType<typeof openNodes>>
  const started: Node[] = []
  /** Who works on a name, twice if two do. */
  const workers = (): string[] => started.flatMap(({ working }) => [...working.keys()]).toSorted()

  const start = async (group: string, clock: Clock = systemClock): Promise<Node & { host: JobHost }> => {
    const host = await nodes.host({ clock })
    const working = new Map<string, HeldShare>()
    const leases = shareLeases({
      ...host,
      ...QUICK,
      group,
      names: NAMES,
      async run(name, held) {
        working.set(name, held)
        await new Promise((resolve) => held.signal.addEventListener('abort', resolve))
        working.delete(name)
      },
    })
    const node = { working, leases, host }
    started.push(node)
    return node
  }
  const stopAll = async (): Promise<void> => {
    for (const { leases } of started.splice(0)) await leases.stop()
  }

  const renewedOnce = async ({ records }: JobHost, group: string): Promise<void> => {
    const newest = async (): Promise<number> => {
      const row = await records
        .selectFrom('job_lease')
        .select((each) => each.fn.max<number>('expires_ms').as('ms'))
        .where('name', 'like', `${group} %`)
        .executeTakeFirstOrThrow()
      return row.ms
    }
    const before = await newest()
    await until(async () => (await newest()) > before, 'they are renewed')
  }

  before(async () => {
    nodes = await openNodes()
  })
  after(async () => {
    await stopAll()
    await nodes.close()
  })

  it('of a node that died before the clock of the records was set back are taken at once, and it counts no more', async () => {
    const expires_ms = Date.now() + 3 * 3_600_000
    const names = ['back member dead', ...NAMES.map((name) => `back ${name}`)]
    const rows = names.map((name) => ({ name, owner: 'dead', expires_ms }))
    await nodes.records.insertInto('job_lease').values(rows).execute()
    const { working } = await start('back')
    await until(() => working.size === NAMES.length, 'the only one that lives has all')
    await stopAll()
    await nodes.records.deleteFrom('job_lease').where('owner', '=', 'dead').execute()
  })

  it('of a process whose own clock jumps by hours, either way, stay where they are', async () => {
    let jumpMs = 0
    const clock: Clock = { ...systemClock, nowMs: () => systemClock.nowMs() + jumpMs }
    const node = await start('jump', clock)
    await until(() => node.working.size === NAMES.length, 'the only one has all')
    const held = new Map(node.working)
    for (const hours of [5, -5]) {
      jumpMs = hours * 3_600_000
      await renewedOnce(node.host, 'jump')
      for (const [name, before] of held) {
        before.check()
        assert.equal(node.working.get(name), before, `${name} was lost by a jump of ${hours} h`)
      }
    }
    await stopAll()
  })

  it('are divided evenly among those that are there, however they come and go; each is held once', async () => {
    const first = await start('even')
    await until(() => first.working.size === 8, 'the only one has all')
    const [second, third] = [await start('even'), await start('even')]
    await until(
      () => started.every(({ working }) => working.size >= 2 && working.size <= 3),
      'each has its share',
    )
    await until(() => workers().length === 8, 'all are held')
    assert.deepEqual(workers(), NAMES)
    await third.leases.stop()
    await until(() => first.working.size === 4 && second.working.size === 4, 'two have half each')
    await stopAll()
    const left = await nodes.records
      .selectFrom('job_lease')
      .select('name')
      .where('name', 'like', 'even %')
      .execute()
    assert.deepEqual(left, [])
  })

  it('of one that is frozen go to another, and what it still wants to write is refused', async () => {
    const first = await start('frozen')
    await until(() => first.working.size === 8, 'it has all')
    const held = first.working.get('3')!
    await writeTransaction(first.host.records, (tx) => held.fence(tx))
    held.check()
    // As if it had been frozen until another had it.
    const other = await start('frozen')
    await nodes.records
      .updateTable('job_lease')
      .set({ owner: 'another', expires_ms: systemClock.nowMs() + 60_000 })
      .where('name', '=', 'frozen 3')
      .execute()
    await assert.rejects(
      writeTransaction(first.host.records, (tx) => held.fence(tx)),
      (error) => error instanceof SondeError && error.kind === 'conflict',
    )
    assert.ok(held.signal.aborted)
    await until(() => !first.working.has('3') && !other.working.has('3'), 'nobody else works on it')
    await stopAll()
  })

  it('are divided by the clock of the records: clocks of machines that are an hour apart take nothing from each other', async () => {
    const shifted = (ms: number): Clock => ({ nowMs: () => systemClock.nowMs() + ms })
    const [ahead, behind] = [
      await start('skew', shifted(3_600_000)),
      await start('skew', shifted(-3_600_000)),
    ]
    await until(() => ahead.working.size === 4 && behind.working.size === 4, 'each has half')
    assert.deepEqual(workers(), NAMES)
    const held = [...ahead.working, ...behind.working]
    const third = await start('skew')
    await until(() => third.working.size >= 2, 'a third gets its share')
    for (const [, share] of held) if (!share.signal.aborted) share.check()
    assert.equal(new Set(workers()).size, workers().length)
    const rows = await nodes.records
      .selectFrom('job_lease')
      .select(['expires_ms', nowMs().as('now_ms')])
      .where('name', 'like', 'skew %')
      .execute()
    for (const row of rows) assert.ok(row.expires_ms - row.now_ms <= QUICK.leaseMs)
    // One that dies is noticed by them, whatever their clocks say.
    await nodes.records
      .insertInto('job_lease')
      .values({ name: 'skew member dead', owner: 'dead', expires_ms: systemClock.nowMs() + 300 })
      .execute()
    await third.leases.stop()
    await until(() => workers().length === 8 && ahead.working.size === 4, 'the two share again')
    await stopAll()
  })

  it('are held by nobody who could not renew them in time', async () => {
    let atMs = systemClock.nowMs()
    const clock: Clock = { nowMs: () => atMs }
    const node = await start('late', clock)
    await until(() => node.working.size === 8, 'it has all')
    const held = node.working.get('0')!
    atMs += QUICK.leaseMs + 1
    assert.throws(() => held.check(), SondeError)
    assert.ok(held.signal.aborted)
    await stopAll()
  })
})
