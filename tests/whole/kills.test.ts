/** `kill -9` of each process of each role, under load, as when machines fail. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MemberKind, Victim } from '../harness/cluster/start-cluster.ts'
import { goesOn, ROUNDS, secondsToSee, useWhole, whileSending } from './whole-sonde.ts'

const AGAIN_WITHIN_SECONDS = 10
/** Ingest has no back. A back ends with its front, in order; `both` is what a machine does. */
const VICTIMS: readonly (readonly [MemberKind, Victim])[] = [
  ['ingest', 'front'],
  ['web', 'back'],
  ['pipeline', 'back'],
  ['web', 'front'],
  ['pipeline', 'both'],
]
/** More than `npm test` has the time for. */
const MORE_VICTIMS: typeof VICTIMS = [
  ['pipeline', 'front'],
  ['web', 'both'],
]

const whole = useWhole()

void test('each process is killed in turn: nothing is lost or doubled, screens and API answer within 10 s', async (context) => {
  const { cluster, watch } = whole()
  const victims = ROUNDS > 1 ? [...VICTIMS, ...MORE_VICTIMS] : VICTIMS
  const sent = await whileSending(whole(), context, async () => {
    for (let round = 0; round < ROUNDS; round++)
      for (const [at, [kind, victim]] of victims.entries()) {
        const member = cluster.members[kind][(round + at) % 2]
        assert.ok(member)
        watch.begin()
        await member.kill(victim)
        const [seenAfter] = await Promise.all([secondsToSee(whole()), goesOn(whole())])
        if (victim !== 'back') await member.start()
        await member.ready()
        const gaps = watch.gaps()
        context.diagnostic(
          `${member.name} ${victim}: screens ${gaps.screens.toFixed(1)} s, API ${gaps.api.toFixed(1)} s, a new event is seen after ${seenAfter.toFixed(1)} s`,
        )
        assert.ok(
          gaps.screens < AGAIN_WITHIN_SECONDS && gaps.api < AGAIN_WITHIN_SECONDS,
          [...watch.wrong].join('\n'),
        )
      }
  })
  assert.equal(sent.unanswered, 0, 'every request was answered with 200')
  assert.equal(cluster.balancer.unanswered(), 0)
})
