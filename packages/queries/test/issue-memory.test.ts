import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixedClock } from '@sonde/base'
import { type CountedIssue, createIssueMemory } from '../src/issues/event-bars.ts'

const issue = (id: number, eventCount: number): CountedIssue => ({
  id,
  eventCount,
  project: { id: 1, slug: 'shop', name: 'shop', platform: 'javascript' },
})

function memory() {
  const remember = createIssueMemory<number>()
  const asked: number[][] = []
  const clock = fixedClock(1_000_000)
  const owner = {}
  let answer = 10
  const read = (issues: readonly CountedIssue[], question = 'users', of: object = owner) =>
    remember({ owner: of, question, clock }, issues, (unknown) => {
      asked.push(unknown.map(({ id }) => id))
      const value = answer
      return Promise.resolve((id: number) => value + id)
    })
  return { read, asked, clock, answer: (value: number) => (answer = value) }
}

test('only issues that moved are counted again', async () => {
  const { read, asked, answer } = memory()
  await read([issue(1, 5), issue(2, 5)])
  answer(20)
  const counts = await read([issue(1, 5), issue(2, 6), issue(3, 1)])
  assert.deepEqual(asked, [
    [1, 2],
    [2, 3],
  ])
  assert.deepEqual([counts(1), counts(2), counts(3), counts(4)], [11, 22, 23, undefined])
})

test('nothing is asked when everything is known', async () => {
  const { read, asked } = memory()
  await read([issue(1, 5)])
  await read([issue(1, 5)])
  await read([])
  assert.equal(asked.length, 1)
})

test('another question and another store have memories of their own', async () => {
  const { read, asked } = memory()
  await read([issue(1, 5)])
  await read([issue(1, 5)], 'bars')
  await read([issue(1, 5)], 'users', {})
  assert.equal(asked.length, 3)
})

test('what is remembered is forgotten after ten minutes: events leave by age', async () => {
  const { read, asked, clock } = memory()
  await read([issue(1, 5)])
  clock.advance(10 * 60_000 - 1)
  await read([issue(1, 5)])
  clock.advance(1)
  await read([issue(1, 5)])
  assert.equal(asked.length, 2)
})

test('a flood of issues keeps at most ten thousand, the newest', async () => {
  const { read, asked } = memory()
  await read(Array.from({ length: 10_001 }, (_, id) => issue(id, 1)))
  await read([issue(10_000, 1)])
  await read([issue(0, 1)])
  assert.deepEqual(asked.slice(1), [[0]])
})
