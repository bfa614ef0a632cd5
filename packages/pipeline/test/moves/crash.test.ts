/** Whatever step of a move is the last one before a crash, and whatever people do meanwhile: every event is there once. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Pipeline } from '../../src/index.ts'
import { MOVE_STEPS } from '../../src/moves/move-events.ts'
import { type MovesHarness, openMovesHarness, until } from './moves-harness.ts'

let harness: MovesHarness
let pipeline: Pipeline

describe('a crash', () => {
  before(async () => {
    harness = await openMovesHarness()
    pipeline = await harness.start()
  })
  after(async () => {
    await pipeline.stop()
    await harness.close()
  })

  const crashAfter = async (step: string): Promise<void> => {
    let crashed = false
    const job = harness.startMoves(pipeline, {
      afterStep(now) {
        if (now !== step || crashed) return
        crashed = true
        throw new Error('crash')
      },
    })
    await until(() => crashed, `it crashes after ${step}`)
    await job.stop()
  }
  const settle = async (project: number): Promise<void> => {
    const job = harness.startMoves(pipeline)
    await harness.settled(project)
    await job.stop()
  }
  const prepare = async (name: string) => {
    const project = await harness.createProject(name)
    await harness.send(project, ['A', 'A', 'B', 'B', 'B', 'C'])
    const [a, b, c] = (await harness.issues(project)).map(({ id }) => id) as [number, number, number]
    await harness.moves.merge(
      { projectId: project, intoId: a, issueIds: [b], actor: 'user:u1' },
      async () => undefined,
    )
    return { project, a, b, c }
  }

  for (const step of MOVE_STEPS) {
    it(`after "${step}" leaves every event once, in its issue`, async () => {
      const { project } = await prepare(`crash-${step}`)
      await crashAfter(step)
      await settle(project)
      assert.deepEqual(await harness.stored(project), { 1: { A: 2, B: 3 }, 3: { C: 1 } })
      assert.deepEqual(await harness.misplaced(project), [])
    })

    it(`after "${step}" leaves it where somebody gave it back to`, async () => {
      const { project, a, b } = await prepare(`back-${step}`)
      await crashAfter(step)
      const done = await harness.moves.takeOut(
        { projectId: project, issueId: a, hashes: [], backTo: b },
        async () => undefined,
      )
      assert.ok('to' in done)
      assert.equal(done.events, 3)
      assert.deepEqual(await harness.counts(project), { 1: 2, 2: 3, 3: 1 })
      await settle(project)
      assert.deepEqual(await harness.stored(project), { 1: { A: 2 }, 2: { B: 3 }, 3: { C: 1 } })
      assert.deepEqual(await harness.misplaced(project), [])
    })

    it(`after "${step}" leaves it where somebody merged it next`, async () => {
      const { project, a, c } = await prepare(`next-${step}`)
      await crashAfter(step)
      await harness.moves.merge(
        { projectId: project, intoId: c, issueIds: [a], actor: 'user:u1' },
        async () => undefined,
      )
      assert.deepEqual(await harness.counts(project), { 3: 6 })
      await settle(project)
      assert.deepEqual(await harness.stored(project), { 3: { A: 2, B: 3, C: 1 } })
      assert.deepEqual(await harness.misplaced(project), [])
    })
  }
})
