import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createLocalBus, fixedClock, silentLogger } from '@sonde/base'
import { forgetLeases } from '@sonde/jobs'
import { openNodes, until } from './harness.ts'

let nodes: Awaited<ReturnType<typeof openNodes>>

describe('start job', () => {
  beforeEach(async () => {
    nodes = await openNodes()
  })

  afterEach(() => nodes.close())

  describe('a job', () => {
    it('runs at the start, when it is woken, and by itself after a while', async () => {
      let runs = 0
      const job = nodes.start(await nodes.host(), { run: () => Promise.resolve((runs++, 'done')) })
      await until(() => runs === 1, 'it runs at the start')
      job.wake()
      await until(() => runs === 2, 'it runs when it is woken')
      let looks = 0
      nodes.start(await nodes.host(), {
        name: 'other',
        lookEveryMs: 5,
        run: () => Promise.resolve((looks++, 'done')),
      })
      await until(() => looks >= 3, 'it runs by itself')
    })

    it('is woken by its name on the bus', async () => {
      const bus = createLocalBus(silentLogger)
      let runs = 0
      const host = { ...(await nodes.host()), bus }
      nodes.start(host, { run: () => Promise.resolve((runs++, 'done')) })
      await until(() => runs === 1, 'it runs at the start')
      let others = 0
      nodes.start(host, { name: 'other', run: () => Promise.resolve((others++, 'done')) })
      await until(() => others === 1, 'the other runs at the start')
      bus.publish('job.wake', { job: 'other' })
      await until(() => others === 2, 'the other runs when it is woken')
      assert.equal(runs, 1)
      bus.publish('job.wake', { job: 'test' })
      await until(() => runs === 2, 'it runs when it is woken')
    })

    it('that is woken while it works runs once more afterwards', async () => {
      const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const mayEnd = Promise.withResolvers<void>()
      let runs = 0
      const job = nodes.start(await nodes.host(), {
        async run() {
          begun[runs++]?.resolve()
          await mayEnd.promise
          return 'done'
        },
      })
      await begun[0]!.promise
      job.wake()
      job.wake()
      mayEnd.resolve()
      await begun[1]!.promise
      await until(async () => (await nodes.lease()) === undefined, 'it has nothing left to do')
      assert.equal(runs, 2)
    })

    it('that is woken while it recovers from an error runs afterwards', async () => {
      let runs = 0
      const job = nodes.start(await nodes.host(), {
        async run() {
          runs++
          if (runs === 1) throw new Error('not now')
          return 'done'
        },
      })
      await until(() => runs === 1, 'it fails')
      job.wake()
      await until(() => runs >= 2, 'it runs again')
    })

    it('without work takes no lease', async () => {
      let looks = 0
      nodes.start(await nodes.host(), {
        lookEveryMs: 5,
        hasWork: () => Promise.resolve(looks++ < 0),
        run: () => assert.fail('there is no work'),
      })
      await until(() => looks > 3, 'it looks')
      assert.equal(await nodes.lease(), undefined)
    })

    it('keeps its lease while it waits for something else, and renews it', async () => {
      let runs = 0
      const leaseMs = 90
      nodes.start(await nodes.host({ leaseMs }), { run: () => Promise.resolve((runs++, { againInMs: 10 })) })
      await until(() => runs > 1, 'it waits')
      const first = await nodes.lease()
      await until(
        async () => (await nodes.lease())!.expires_ms > first!.expires_ms + leaseMs,
        'it is renewed',
      )
      assert.equal((await nodes.lease())?.owner, first?.owner)
    })

    it('that stops ends its work and leaves its lease to others', async () => {
      const begun = Promise.withResolvers<void>()
      const job = nodes.start(await nodes.host(), {
        async run(signal) {
          begun.resolve()
          await once(signal, 'abort')
          return 'done'
        },
      })
      await begun.promise
      assert.ok(await nodes.lease())
      await job.stop()
      assert.equal(await nodes.lease(), undefined)
    })
  })

  describe('two loops on one records file', () => {
    it('never work at once, and both get their turn', async () => {
      let working = 0
      const runs = [0, 0]
      const start = async (node: number) => {
        const job = nodes.start(await nodes.host(), {
          lookEveryMs: 1,
          async run() {
            assert.equal(++working, 1)
            // Long enough for the other to begin, if it could.
            await nodes.lease()
            working--
            runs[node]!++
            return 'done'
          },
        })
        return job
      }
      await Promise.all([start(0), start(1)])
      await until(() => Math.min(...runs) >= 10, 'both had their turn')
    })

    it('take the lease of a process that was killed once it has expired', async () => {
      const leaseMs = 1_500
      const child = fork(new URL('job-child.ts', import.meta.url), [nodes.place, String(leaseMs)], {
        execArgv: ['--conditions=@sonde/source'],
      })
      await once(child, 'message')
      let runs = 0
      nodes.start(await nodes.host({ leaseMs }), {
        lookEveryMs: 10,
        run: () => Promise.resolve((runs++, 'done')),
      })
      const first = (await nodes.lease())!
      await until(
        async () => (await nodes.lease())!.expires_ms > first.expires_ms + leaseMs,
        'it is renewed while its owner works',
      )
      assert.equal(runs, 0, 'nobody else works meanwhile')
      child.kill('SIGKILL')
      await once(child, 'exit')
      const { expires_ms } = (await nodes.lease())!
      await until(() => runs > 0, 'it is taken')
      assert.ok(Date.now() >= expires_ms)
    })

    it('the lease that a dead owner left is void when no other process can be there', async () => {
      await nodes.records
        .insertInto('job_lease')
        .values({ name: 'test', owner: 'dead', expires_ms: Date.now() + 60_000 })
        .execute()
      let looks = 0
      let runs = 0
      const host = await nodes.host()
      const job = nodes.start(host, {
        lookEveryMs: 5,
        hasWork: () => Promise.resolve((looks++, true)),
        run: () => Promise.resolve((runs++, 'done')),
      })
      await until(() => looks > 3, 'it looks for the lease again and again')
      assert.equal(runs, 0)
      await forgetLeases(host.records)
      await until(() => runs > 0, 'it works')
      await job.stop()
    })

    it('the one that works goes on when somebody sets the clock of its machine, forward or back', async () => {
      const clock = fixedClock(100_000_000)
      const begun = Promise.withResolvers<AbortSignal>()
      const job = nodes.start(await nodes.host({ clock, leaseMs: 60 }), {
        async run(signal) {
          begun.resolve(signal)
          await once(signal, 'abort')
          return 'done'
        },
      })
      const signal = await begun.promise
      const leases = () =>
        nodes.records.selectFrom('job_lease').select('expires_ms').executeTakeFirstOrThrow()
      for (const atMs of [0, 900_000_000]) {
        clock.set(atMs)
        const { expires_ms: beforeMs } = await leases()
        await until(async () => (await leases()).expires_ms > beforeMs, 'it renews its lease')
        assert.equal(signal.aborted, false)
      }
      await job.stop()
    })

    it('the one that lost its lease ends its work', async () => {
      const clock = fixedClock(1_000)
      const begun = Promise.withResolvers<void>()
      const ended = Promise.withResolvers<void>()
      const job = nodes.start(await nodes.host({ clock, leaseMs: 60 }), {
        async run(signal) {
          begun.resolve()
          await once(signal, 'abort')
          ended.resolve()
          return 'done'
        },
      })
      await begun.promise
      await nodes.records
        .updateTable('job_lease')
        .set({ owner: 'another', expires_ms: Date.now() + 60_000 })
        .execute()
      await ended.promise
      await job.stop()
      assert.equal((await nodes.lease())?.owner, 'another')
    })
  })
})
