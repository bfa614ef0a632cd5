import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { tryLease, withLease } from '@sonde/jobs'
import { openNodes, until } from './harness.ts'

describe('work under a lease', () => {
  let nodes: Awaited<ReturnType<typeof openNodes>>
  beforeEach(async () => {
    nodes = await openNodes()
  })
  afterEach(() => nodes.close())

  it('of several nodes is done one after the other, and the lease is given back', async () => {
    const lease = { name: 'first start', leaseMs: 20_000 }
    let running = 0
    let most = 0
    const work = async (): Promise<number> => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      return running--
    }
    const hosts = await Promise.all([nodes.host(), nodes.host(), nodes.host()])
    const done = await Promise.all(hosts.map((host) => withLease({ ...host, ...lease }, work)))
    assert.deepEqual({ done, most }, { done: [1, 1, 1], most: 1 })
    assert.equal(await nodes.lease(), undefined)
  })

  it('of one node at most is begun by who does not wait, and free again when it is given back or its time is over', async () => {
    const [one, other] = await Promise.all([nodes.host(), nodes.host()])
    const lease = { name: 'sql console', leaseMs: 20_000 }
    const both = await Promise.all([one, other, one].map((host) => tryLease({ ...host, ...lease })))
    const taken = both.filter((release) => release !== undefined)
    assert.equal(taken.length, 1)
    await taken[0]?.()
    await taken[0]?.()
    assert.ok(await tryLease({ ...other, ...lease, leaseMs: 1 }))
    await until(async () => (await tryLease({ ...one, ...lease })) !== undefined, 'its time is over')
  })

  it('of a node that died before the clock of the records was set back is free at once', async () => {
    const host = await nodes.host()
    const lease = { name: 'first start', owner: 'another node', expires_ms: Date.now() + 3 * 3_600_000 }
    await nodes.records.insertInto('job_lease').values(lease).execute()
    assert.ok(await tryLease({ ...host, name: lease.name, leaseMs: 20_000 }))
  })

  it('is free for the next when it failed, and when its node died', async () => {
    const host = await nodes.host()
    const lease = { ...host, name: 'first start', leaseMs: 200 }
    await assert.rejects(
      withLease(lease, () => Promise.reject(new Error('no room'))),
      /no room/,
    )
    const dead = { name: lease.name, owner: 'another node', expires_ms: Date.now() + 200 }
    await nodes.records.insertInto('job_lease').values(dead).execute()
    await withLease(lease, async () => assert.ok(Date.now() >= dead.expires_ms))
    assert.equal(await nodes.lease(), undefined)
  })
})
