/** An organization's attachments take no more of the disk than they may; what is refused costs no event. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { attachmentUsages } from '@sonde/stores'
import { COMMIT_STEPS } from '../../src/commit/commit-batch.ts'
import { errorEnvelope, openHarness, until, type Harness } from '../commit/harness.ts'

let harness: Harness

const withFile = (id: number, name: string, content: string): string =>
  `${errorEnvelope(id)}${JSON.stringify({ type: 'attachment', filename: name, length: content.length })}\n${content}\n`
const names = async (project: number) => {
  const rows = await harness.records
    .selectFrom('attachment')
    .select('name')
    .where('project_id', '=', project)
    .orderBy('id')
    .execute()
  return rows.map(({ name }) => name)
}
const used = async (): Promise<number> => (await attachmentUsages(harness.records))[0]?.bytes ?? 0
const blobs = async (project: number): Promise<number> => {
  let count = 0
  for await (const _ of harness.blobs.list(`attachments/${project}/`)) count++
  return count
}

describe('the quota of attachments', () => {
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  it('is of the organization, counts equal bytes of a project once, and has room again after deletions', async (t) => {
    const [one, two] = [await harness.createProject('one'), await harness.createProject('two')]
    const pipeline = await harness.start({ attachmentQuotaBytes: 10 })
    t.after(() => pipeline.stop())
    const done = async (records: number) =>
      await until(() => pipeline.state().records === records, `${records} records are done`)
    await harness.append(one, withFile(0x10, 'a', 'same'))
    await harness.append(one, withFile(0x11, 'b', 'same'))
    await harness.append(two, withFile(0x12, 'c', 'same'))
    await harness.append(one, withFile(0x13, 'd', 'xyz'))
    await harness.append(one, withFile(0x14, 'e', 'xyz'))
    await harness.append(two, withFile(0x15, 'f', 'xy'))
    await harness.append(one, withFile(0x16, 'g', 'same'))
    await done(7)
    assert.deepEqual(
      [await names(one), await names(two)],
      [
        ['a', 'b', 'g'],
        ['c', 'f'],
      ],
    )
    assert.deepEqual([await used(), await blobs(one), await blobs(two)], [10, 1, 2])
    assert.deepEqual(await harness.outcomes(one), {
      'attachment/accepted/': 3,
      'attachment/rate_limited/attachment_quota': 2,
      'error/accepted/': 5,
    })

    await harness.records.deleteFrom('attachment').where('name', 'in', ['a', 'b']).execute()
    assert.equal(await used(), 10, 'another row names the bytes')
    await harness.records.deleteFrom('attachment').where('name', '=', 'g').execute()
    assert.equal(await used(), 6)
    await harness.append(one, withFile(0x17, 'h', 'xyz'))
    await done(8)
    assert.deepEqual([await names(one), await used()], [['h'], 9])
    await harness.records.deleteFrom('project').where('id', '=', one).execute()
    assert.equal(await used(), 6)
    await harness.records.deleteFrom('project').where('id', '=', two).execute()
    assert.equal(await used(), 0)
  })

  for (const [at, step] of COMMIT_STEPS.entries()) {
    it(`decides alike after a crash after "${step}", also when there is room meanwhile`, async () => {
      const filler = await harness.createProject(`filler-${step}`)
      const project = await harness.createProject(`crash-${step}`)
      await harness.append(filler, withFile(0x1000 + at * 0x10, 'filler', 'xxxxx'))
      const start = (crashAfter?: string) => {
        let crashed = false
        const running = harness.start({
          attachmentQuotaBytes: 9,
          afterStep(now) {
            if (now !== crashAfter) return
            crashed = true
            throw new Error('crash')
          },
        })
        return { running, crashed: () => crashed }
      }
      const filling = await start().running
      await until(async () => (await names(filler)).length === 1, 'it is filled')
      await filling.stop()
      await harness.append(project, withFile(0x1001 + at * 0x10, 'fits', 'abcd'))
      await harness.append(project, withFile(0x1002 + at * 0x10, 'over', 'efgh'))
      const first = start(step)
      const pipeline = await first.running
      await until(() => first.crashed(), 'it crashes')
      await pipeline.stop()
      // What the first attempt decided stands, once it is written.
      if (step !== 'checked')
        await harness.records.deleteFrom('attachment').where('name', '=', 'filler').execute()
      const second = await start().running
      await until(
        async () => (await harness.issues(project))[0]?.event_count === 2,
        'both events are counted',
      )
      await second.stop()
      assert.deepEqual(await names(project), ['fits'])
      assert.deepEqual(await harness.outcomes(project), {
        'attachment/accepted/': 1,
        'attachment/rate_limited/attachment_quota': 1,
        'error/accepted/': 2,
      })
      await harness.records.deleteFrom('attachment').execute()
    })
  }
})
