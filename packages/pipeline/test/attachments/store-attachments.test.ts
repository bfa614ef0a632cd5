/** Attachments in real stores: once, also after a crash at any step, and no file that nothing names. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { blobsNowUnused } from '@sonde/stores'
import { COMMIT_STEPS } from '../../src/commit/commit-batch.ts'
import { errorEnvelope, eventIdOf, openHarness, until, type Harness } from '../commit/harness.ts'

let harness: Harness

const attachment = (name: string, content: string): string =>
  `${JSON.stringify({ type: 'attachment', filename: name, length: Buffer.byteLength(content) })}\n${content}\n`
const alone = (id: number, ...items: string[]): string => `{"event_id":"${eventIdOf(id)}"}\n${items.join('')}`

/** Until everything appended so far is stored: what comes last is. */
async function run(): Promise<void> {
  const last = await harness.createProject(`last-${++runs}`)
  await harness.append(last, errorEnvelope(0xffff_0000 + runs))
  const pipeline = await harness.start()
  await until(async () => (await harness.issues(last))[0]?.event_count === 1, 'the last one is counted')
  await pipeline.stop()
}
let runs = 0

const rows = (project: number) =>
  harness.records
    .selectFrom('attachment')
    .selectAll()
    .where('project_id', '=', project)
    .orderBy('id')
    .execute()
async function files(project: number): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of harness.blobs.list(`attachments/${project}/`)) names.push(name)
  return names
}
const contentOf = async (blob: string): Promise<string> =>
  Buffer.from((await harness.blobs.get(blob)) ?? []).toString()

describe('stored attachments', () => {
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  it('are there with and without their event, equal content once per project', async () => {
    const [a, b] = [await harness.createProject('one'), await harness.createProject('two')]
    await harness.append(a, errorEnvelope(0x100) + attachment('a.txt', 'same') + attachment('empty', ''))
    await harness.append(a, alone(0x999, attachment('late\n.txt', 'same'), attachment('b.txt', 'two\nlines')))
    await harness.append(b, alone(0x100, attachment('a.txt', 'same')))
    await run()
    const stored = await rows(a)
    assert.deepEqual(
      stored.map((row) => [row.event_id, row.name, row.bytes, row.shown_as]),
      [
        [eventIdOf(0x100), 'a.txt', 4, 'text/plain'],
        [eventIdOf(0x100), 'empty', 0, ''],
        [eventIdOf(0x999), 'late.txt', 4, 'text/plain'],
        [eventIdOf(0x999), 'b.txt', 9, 'text/plain'],
      ],
    )
    assert.equal(stored[0]?.blob, stored[2]?.blob)
    assert.equal((await files(a)).length, 3)
    assert.deepEqual(await Promise.all(stored.map((row) => contentOf(row.blob))), [
      'same',
      '',
      'same',
      'two\nlines',
    ])
    const [other] = await rows(b)
    assert.notEqual(other?.blob, stored[0]?.blob)
    assert.deepEqual(await harness.outcomes(a), { 'attachment/accepted/': 4, 'error/accepted/': 1 })
  })

  it('that come again are duplicates, what is new beside them is not', async () => {
    const project = await harness.createProject('again')
    const body = errorEnvelope(0x200) + attachment('a.txt', 'one') + attachment('a.txt', 'one')
    await harness.append(project, body)
    await run()
    await harness.append(project, body + attachment('a.txt', 'other'))
    await run()
    assert.deepEqual(
      (await rows(project)).map((row) => row.name),
      ['a.txt', 'a.txt'],
    )
    assert.deepEqual(await harness.outcomes(project), {
      'attachment/accepted/': 2,
      'attachment/invalid/duplicate_attachment': 3,
      'error/accepted/': 1,
      'error/invalid/duplicate_event': 1,
    })
  })

  it('of a project that is gone are counted, and their files become garbage', async () => {
    await harness.append(4711, alone(0x300, attachment('a.txt', 'nobody’s')))
    await run()
    assert.deepEqual(await rows(4711), [])
    assert.deepEqual(await harness.outcomes(4711), { 'attachment/invalid/project_gone': 1 })
    assert.deepEqual(await blobsNowUnused(harness.records, 10, Infinity), await files(4711))
  })

  it('are written anew when the last one with the same content is deleted meanwhile', async () => {
    const project = await harness.createProject('meanwhile')
    await harness.append(project, alone(0x400, attachment('a.txt', 'short-lived')))
    await run()
    const [first] = await rows(project)
    await harness.append(project, alone(0x401, attachment('a.txt', 'short-lived')))
    let isDeleted = false
    const pipeline = await harness.start({
      async afterStep(step) {
        if (step !== 'checked' || isDeleted) return
        isDeleted = true
        await harness.records.deleteFrom('attachment').where('project_id', '=', project).execute()
        await harness.blobs.delete(first?.blob ?? '')
      },
    })
    const isNew = (blob: string | undefined) => blob !== undefined && blob !== first?.blob
    await until(async () => isNew((await rows(project))[0]?.blob), 'the second is stored')
    await pipeline.stop()
    const [second] = await rows(project)
    assert.equal(await contentOf(second?.blob ?? ''), 'short-lived')
  })

  for (const [at, step] of COMMIT_STEPS.entries())
    it(`a crash after "${step}" loses none and doubles none`, async () => {
      const project = await harness.createProject(`crash-${step}`)
      const id = 0x1000 + at * 0x10
      await harness.append(project, errorEnvelope(id) + attachment('a.txt', 'content') + attachment('b', ''))
      await harness.append(project, alone(id + 1, attachment('a.txt', 'content')))
      let crashed = false
      const first = await harness.start({
        afterStep(now) {
          if (now !== step) return
          crashed = true
          throw new Error('crash')
        },
      })
      await until(() => crashed, 'it crashes')
      await first.stop()
      await run()
      const stored = await rows(project)
      assert.deepEqual(
        stored.map((row) => [row.event_id, row.name]),
        [
          [eventIdOf(id), 'a.txt'],
          [eventIdOf(id), 'b'],
          [eventIdOf(id + 1), 'a.txt'],
        ],
      )
      assert.deepEqual(new Set(stored.map((row) => row.blob)), new Set(await files(project)))
      assert.deepEqual(await harness.outcomes(project), { 'attachment/accepted/': 3, 'error/accepted/': 1 })
    })
})
