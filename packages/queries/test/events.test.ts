import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  eventById,
  findIssue,
  groupingReason,
  issueDetail,
  issueEvent,
  issueEvents,
  type IssueRow,
  issueTags,
  narrowedEventId,
  narrowedNeighbours,
  projectEvents,
  SearchError,
} from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type OrgGrant, type ProjectGrant } from './harness.ts'

describe('events of an issue', () => {
  let harness: Harness
  let acme: OrgGrant
  let shop: ProjectGrant
  let rival: ProjectGrant
  let issue: IssueRow
  let ids: readonly string[]
  let hiddenId: string
  before(async () => {
    harness = await openHarness()
    acme = await harness.org('acme')
    shop = await harness.project(acme, 'shop')
    rival = await harness.project(await harness.org('rival'), 'secret')
    const [issueId = 0, other = 0] = await harness.issues(shop.projectId, [
      { first_release: '1.0', last_release: '2.0', event_count: 12 },
      {},
    ])
    ids = await harness.events(shop.projectId, issueId, [
      { timestampMs: NOW_MS - 40 * MINUTE_MS, tags: { browser: 'Firefox', level: 'error' } },
      // Two at the same millisecond: ids decide which is newer.
      { timestampMs: NOW_MS - 30 * MINUTE_MS, tags: { browser: 'Safari' }, release: '1.0' },
      {
        timestampMs: NOW_MS - 30 * MINUTE_MS,
        tags: { browser: 'Firefox', 'a"b': '<b>' },
        exceptionType: 'TypeError',
        userKey: 'id:1',
        traceId: 'a'.repeat(32),
      },
      { timestampMs: NOW_MS - 10 * MINUTE_MS, tags: { browser: 'Firefox' }, title: 'Error: the last one' },
    ])
    await harness.events(shop.projectId, other, [{ timestampMs: NOW_MS - 20 * MINUTE_MS }])
    const [hiddenIssue = 0] = await harness.issues(rival.projectId, [{}])
    ;[hiddenId = ''] = await harness.events(rival.projectId, hiddenIssue, [{ title: 'Secret' }])
    const hash = (text: string) => ({ project_id: shop.projectId, hash: text, issue_id: issueId })
    await harness.db
      .insertInto('issue_hash')
      .values([hash('aa'), hash('bb')])
      .execute()
    const found = await findIssue(harness.deps, acme, issueId)
    assert.ok(found)
    issue = found
  })
  after(() => harness.close())

  it('narrowed by a search or a time, the choice and the arrows stay among what is left', async () => {
    const firefox = { query: 'browser:Firefox' }
    const [oldest = '', , second = '', latest = ''] = ids
    assert.equal(await narrowedEventId(harness.deps, issue, 'latest', firefox), latest)
    assert.equal(await narrowedEventId(harness.deps, issue, 'oldest', firefox), oldest)
    assert.equal(await narrowedEventId(harness.deps, issue, 'recommended', firefox), second)
    const early = { toMs: NOW_MS - 35 * MINUTE_MS }
    assert.equal(await narrowedEventId(harness.deps, issue, 'latest', early), oldest)
    assert.equal(await narrowedEventId(harness.deps, issue, 'latest', { fromMs: NOW_MS }), undefined)
    const place = {
      projectId: shop.projectId,
      issueId: issue.id,
      eventId: second,
      timestampMs: NOW_MS - 30 * MINUTE_MS,
    }
    assert.deepEqual(await narrowedNeighbours(harness.deps, place, firefox), {
      previousId: oldest,
      nextId: latest,
    })
    const late = { fromMs: NOW_MS - 35 * MINUTE_MS, toMs: NOW_MS - 10 * MINUTE_MS, query: 'browser:Firefox' }
    assert.deepEqual(await narrowedNeighbours(harness.deps, place, late), {
      previousId: undefined,
      nextId: undefined,
    })
    const listed = await issueEvents(harness.deps, issue, late)
    assert.deepEqual(
      listed.rows.map(({ eventId }) => eventId),
      [second],
    )
    await assert.rejects(
      narrowedEventId(harness.deps, issue, 'latest', { query: 'is:resolved' }),
      SearchError,
    )
  })

  const neighbours = async (id: string | undefined) => {
    const detail = await eventById(harness.deps, shop, id ?? '')
    return [detail?.neighbours.previousId, detail?.neighbours.nextId]
  }

  const found = async (query: string): Promise<number> =>
    (await issueEvents(harness.deps, issue, { query })).rows.length

  it('an event is found by its id in any spelling, within its project only', async () => {
    const id = ids[0] ?? ''
    const hyphened = `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`
    for (const spelling of [id, id.toUpperCase(), hyphened]) {
      const detail = await eventById(harness.deps, shop, spelling)
      assert.equal(detail?.event.event_id, id)
      assert.equal(detail?.issueId, issue.id)
      assert.equal(detail?.timestampMs, NOW_MS - 40 * MINUTE_MS)
      assert.deepEqual(detail?.tags, { browser: 'Firefox', level: 'error' })
    }
    assert.equal(await eventById(harness.deps, shop, hiddenId), undefined)
    for (const wrong of ['', 'f'.repeat(32), "' OR 1=1 --", '../..', 'f'.repeat(31)]) {
      assert.equal(await eventById(harness.deps, shop, wrong), undefined, wrong)
    }
  })

  it('the arrows lead through every event, also through equal times, and stay within the issue', async () => {
    assert.deepEqual(await neighbours(ids[0]), [undefined, ids[1]])
    assert.deepEqual(await neighbours(ids[1]), [ids[0], ids[2]])
    assert.deepEqual(await neighbours(ids[2]), [ids[1], ids[3]])
    assert.deepEqual(await neighbours(ids[3]), [ids[2], undefined])
  })

  it('latest, oldest, and the one that says most', async () => {
    const choose = async (choice: 'latest' | 'oldest' | 'recommended') =>
      (await issueEvent(harness.deps, issue, choice))?.event.event_id
    assert.equal(await choose('latest'), ids[3])
    assert.equal(await choose('oldest'), ids[0])
    assert.equal(await choose('recommended'), ids[2])
    assert.equal(await issueEvent(harness.deps, { ...issue, id: 999 }, 'latest'), undefined)
  })

  it('lists newest first, in pages', async () => {
    const first = await issueEvents(harness.deps, issue, { limit: 3 })
    assert.equal(first.rows[0]?.eventId, ids[3])
    assert.equal(first.next.hasResults, true)
    const second = await issueEvents(harness.deps, issue, { limit: 3, cursor: first.next.cursor })
    assert.deepEqual(
      second.rows.map((row) => row.eventId),
      [ids[0]],
    )
    assert.deepEqual([second.previous.hasResults, second.next.hasResults], [true, false])
    const back = await issueEvents(harness.deps, issue, { limit: 3, cursor: second.previous.cursor })
    assert.deepEqual(back.rows, first.rows)
  })

  it('searches events by tag, field and title, and refuses fields of issues', async () => {
    assert.equal(await found('browser:Firefox'), 3)
    assert.equal(await found('!browser:Firefox'), 1)
    assert.equal(await found('release:1.0'), 1)
    assert.equal(await found('"the last"'), 1)
    assert.equal(await found('"the last" browser:Safari'), 0)
    await assert.rejects(found('is:unresolved'), SearchError)
  })

  it('a project lists the events of all its issues and of no other project', async () => {
    const { rows } = await projectEvents(harness.deps, shop)
    assert.equal(rows.length, 5)
    assert.ok(rows.every((row) => row.projectId === shop.projectId))
  })

  it('tags are counted with their values, most frequent first', async () => {
    const tags = await issueTags(harness.deps, issue, { keys: 10, valuesPerKey: 1 })
    assert.deepEqual(
      tags.map(({ key, total, distinct }) => [key, total, distinct]),
      [
        ['browser', 4, 2],
        ['a"b', 1, 1],
        ['level', 1, 1],
      ],
    )
    assert.deepEqual(tags[0]?.values, [
      {
        value: 'Firefox',
        count: 3,
        share: 0.75,
        firstSeenMs: NOW_MS - 40 * MINUTE_MS,
        lastSeenMs: NOW_MS - 10 * MINUTE_MS,
      },
    ])
    const one = await issueTags(harness.deps, issue, { keys: 1, valuesPerKey: 10, key: 'a"b' })
    assert.deepEqual(
      one[0]?.values.map(({ value }) => value),
      ['<b>'],
    )
    assert.deepEqual(await issueTags(harness.deps, issue, { keys: 1, valuesPerKey: 1, key: "x' OR 1=1" }), [])
  })

  it('an issue is found by id and by short id, within the grant only', async () => {
    const detail = await issueDetail(harness.deps, shop, 'shop-1')
    assert.equal(detail?.id, issue.id)
    assert.equal(detail?.keptCount, 4)
    assert.equal(detail?.eventCount, 12)
    assert.equal(detail?.userCount, 1)
    assert.deepEqual([detail?.firstRelease, detail?.lastRelease], ['1.0', '2.0'])
    assert.equal(detail?.bars14d.counts.at(-1), 4)
    assert.equal(await issueDetail(harness.deps, rival, issue.id), undefined)
    assert.equal(await issueDetail(harness.deps, rival, 'SHOP-1'), undefined)
    for (const wrong of ['0', 'SHOP-999', '-1', "1' OR 1=1", '', '1e3']) {
      assert.equal(await issueDetail(harness.deps, acme, wrong), undefined, wrong)
    }
  })

  it('says which hashes lead here and which of them are of the event', async () => {
    const detail = await issueEvent(harness.deps, issue, 'latest')
    assert.ok(detail)
    const grouping = { version: 'v1', basis: 'stacktrace', hashes: ['bb'], parts: [] } as const
    const event = { ...detail.event, derived: { ...detail.event.derived, grouping } }
    assert.deepEqual(await groupingReason(harness.deps, issue, event), {
      trace: grouping,
      hashes: [
        { hash: 'aa', isOfEvent: false },
        { hash: 'bb', isOfEvent: true },
      ],
    })
  })
})
