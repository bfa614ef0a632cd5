/** All starts of an installation end and begin anew, one after the other, while it is used. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROUNDS, useWhole, whileSending } from './whole-sonde.ts'

const whole = useWhole()

void test('a rolling restart of all roles refuses nothing, loses nothing and doubles nothing', async (context) => {
  const { cluster, watch } = whole()
  const sent = await whileSending(whole(), context, async () => {
    for (let round = 0; round < ROUNDS; round++)
      for (const kind of ['pipeline', 'web', 'ingest'] as const)
        for (const member of cluster.members[kind]) {
          watch.begin()
          const startedMs = performance.now()
          assert.equal(await member.stop(), 0, member.running().log())
          const stoppedMs = performance.now()
          await member.start()
          await member.ready()
          const tookSec = [stoppedMs - startedMs, performance.now() - stoppedMs].map((ms) =>
            (ms / 1_000).toFixed(1),
          )
          const gaps = watch.gaps()
          context.diagnostic(
            `${member.name}: stopped in ${tookSec[0]} s, ready after ${tookSec[1]} s; screens ${gaps.screens.toFixed(1)} s, API ${gaps.api.toFixed(1)} s`,
          )
          assert.deepEqual([...watch.wrong], [], 'a page or an answer of the API failed')
        }
  })
  assert.equal(sent.unanswered, 0, 'every request was answered with 200')
  assert.equal(cluster.balancer.unanswered(), 0)
})
