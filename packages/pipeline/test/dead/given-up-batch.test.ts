/** A batch that ended every process that took it: set aside, so that what comes after it goes on. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { deadLetters } from '../../src/index.ts'
import { errorEnvelope, openHarness, until, type Harness } from '../commit/harness.ts'

describe('a batch in flight', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  /** As processes leave it that died while they stored the batch. */
  const dieTimes = async (tries: number): Promise<void> => {
    const { position } = await harness.records
      .selectFrom('pipeline_state')
      .select('position')
      .executeTakeFirstOrThrow()
    const to = harness.writer.stats().durablePosition
    await harness.records
      .updateTable('pipeline_state')
      .set({ inflight_from: position, inflight_to: to, inflight_tries: tries })
      .execute()
  }
  const state = () =>
    harness.records
      .selectFrom('pipeline_state')
      .select(['inflight_from', 'inflight_tries'])
      .executeTakeFirstOrThrow()

  it('is tried again by the tenth process, and its records are dead letters for the eleventh', async () => {
    const project = await harness.createProject('poison')
    const first = await harness.start()
    await harness.append(project, errorEnvelope(1, 'A'))
    await until(() => first.state().events === 1, 'the first event is stored')
    await first.stop()

    await harness.append(project, errorEnvelope(2, 'A'))
    await dieTimes(9)
    const tenth = await harness.start()
    await until(async () => (await harness.events(project)).length === 2, 'the second event is stored')
    await until(async () => (await state()).inflight_from === null, 'the batch is over')
    await tenth.stop()
    assert.deepEqual(await state(), { inflight_from: null, inflight_tries: 0 })

    await harness.append(project, errorEnvelope(3, 'A'))
    await dieTimes(10)
    const eleventh = await harness.start()
    await until(() => eleventh.state().dead === 1, 'the batch is set aside')
    await harness.append(project, errorEnvelope(4, 'A'))
    await until(async () => (await harness.events(project)).length === 3, 'what comes after it is stored')
    const dead = deadLetters(harness)
    const [letter] = await dead.list()
    assert.deepEqual([letter?.projectId, letter?.reason, letter?.itemIndex], [project, 'digest_crash', -1])
    await dead.replay(letter?.id ?? 0, async (bytes) => harness.writer.append(bytes))
    await until(async () => (await harness.events(project)).length === 4, 'the dead letter was given back')
    await eleventh.stop()
  })
})
