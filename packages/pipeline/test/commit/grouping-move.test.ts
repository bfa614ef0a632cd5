/** A project that moves to another version of grouping keeps its issues. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DEFAULT_GROUPING, type GroupingRules, writeTransaction } from '@sonde/stores'
import * as fc from 'fast-check'
import { resolveIssues } from '../../src/commit/resolve-issues.ts'
import { groupByRules } from '../../src/group/group-by-rules.ts'
import { normalizeEvent } from '../../src/normalize/index.ts'
import type { ProcessedEvent } from '../../src/process/processed.ts'
import { eventIdOf, type Harness, openHarness } from './harness.ts'

const UNTIL_MS = 1_000_000
const BEFORE: GroupingRules = DEFAULT_GROUPING
const MOVED: GroupingRules = {
  ...DEFAULT_GROUPING,
  version: 'v2',
  previous: { version: 'v1', untilMs: UNTIL_MS },
}
const BACK: GroupingRules = {
  ...DEFAULT_GROUPING,
  version: 'v1',
  previous: { version: 'v2', untilMs: UNTIL_MS },
}

/** Messages that version 2 puts together in pairs, and some that it leaves alone. */
const MESSAGES = [
  ['TypeError', 'Failed to fetch'],
  ['TypeError', 'Load failed'],
  ['ReferenceError', 'gtag is not defined'],
  ['ReferenceError', "Can't find variable: gtag"],
  ['SyntaxError', 'Unexpected end of JSON input'],
  ['SyntaxError', 'JSON Parse error: Unexpected EOF'],
  ['AppError', 'no stock'],
  ['AppError', 'no card'],
] as const

let count = 0
function processed(
  projectId: number,
  message: number,
  rules: GroupingRules,
  receivedMs: number,
): ProcessedEvent {
  const [type, value] = MESSAGES[message % MESSAGES.length] ?? ['Error', '']
  const context = { eventId: eventIdOf(++count), receivedMs, itemType: 'event', retentionDays: 90 }
  const raw = { platform: 'javascript', exception: { values: [{ type, value }] } }
  const { hashes } = groupByRules(normalizeEvent(raw, context), rules, receivedMs)
  const issue = {
    timestampMs: receivedMs,
    type: 'error',
    level: 'error',
    title: value,
    culprit: '',
    platform: 'javascript',
    metadata: '{}',
    logger: '',
    isUnhandled: false,
    environment: '',
    release: '',
  }
  return { projectId, eventId: context.eventId, hashes, issue, receivedMs } as unknown as ProcessedEvent
}

describe('a project that moves to another version of grouping', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  const issuesOf = async (events: readonly ProcessedEvent[]) =>
    writeTransaction(harness.records, async (tx) => {
      const { issueOf, created } = await resolveIssues(tx, events, 0)
      return { ids: events.map((event) => issueOf.get(event)), created: created.length }
    })
  const lists = fc.array(fc.nat(MESSAGES.length - 1), { minLength: 1, maxLength: 12 })

  it('never gets a new issue for an event that had one, there and back', async () => {
    let projects = 0
    await fc.assert(
      fc.asyncProperty(lists, lists, async (first, again) => {
        const project = await harness.createProject(`moves-${++projects}`)
        const stored = await issuesOf(first.map((each) => processed(project, each, BEFORE, 1)))
        const known = new Set(first)
        const seen = again.filter((each) => known.has(each))
        const moved = await issuesOf(seen.map((each) => processed(project, each, MOVED, 2)))
        assert.equal(moved.created, 0)
        for (const id of moved.ids) assert.ok(stored.ids.includes(id))
        // New ones of the new version are found when the project goes back.
        const fresh = await issuesOf(again.map((each) => processed(project, each, MOVED, 3)))
        const back = await issuesOf(again.map((each) => processed(project, each, BACK, 4)))
        assert.equal(back.created, 0)
        for (const id of back.ids) assert.ok(fresh.ids.includes(id) || stored.ids.includes(id))
      }),
      { numRuns: 25 },
    )
  })

  it('goes on in the same issue by the new hash alone once the time is over', async () => {
    const project = await harness.createProject('moved')
    const [chromium, safari] = [0, 1]
    const before = await issuesOf([
      processed(project, chromium, BEFORE, 1),
      processed(project, safari, BEFORE, 1),
    ])
    assert.equal(before.created, 2)
    const during = await issuesOf([processed(project, chromium, MOVED, UNTIL_MS - 1)])
    assert.deepEqual(during.ids, [before.ids[0]])
    const later = [chromium, safari].map((each) => processed(project, each, MOVED, UNTIL_MS))
    assert.ok(later.every(({ hashes }) => hashes.length === 1))
    const after = await issuesOf(later)
    assert.deepEqual([after.created, ...after.ids], [0, before.ids[0], before.ids[0]])
  })
})
