import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addSpanUsage, capWindow, refusedUntilMs, spanUsage, usedSpans } from '@sonde/stores'
import { openTestRecords } from '../../../../tests/harness/engines.ts'
import type { Records } from '../../src/records/schema.ts'

const at = (text: string): number => Date.parse(`2026-${text}Z`)
const NOVEMBER = capWindow('month', at('11-21T12:00'))

describe('caps of spans', () => {
  let records: Records
  let close: () => Promise<void>
  let projectId: number
  before(async () => {
    ;({ records, close } = await openTestRecords())
    await records.insertInto('organization').values({ slug: 'acme', name: 'Acme', created_ms: 0 }).execute()
    const project = { org_id: 1, slug: 'shop', name: 'Shop', platform: 'node', created_ms: 0 }
    projectId = (
      await records.insertInto('project').values(project).returning('id').executeTakeFirstOrThrow()
    ).id
  })
  after(() => close())

  const add = (spans: number, text: string, id = projectId) =>
    addSpanUsage(records, [{ projectId: id, receivedMs: at(text), spans }])
  const cap = async (count: number | null, period: 'day' | 'month' = 'month') => {
    const columns = {
      span_cap_count: count,
      span_cap_period: count === null ? null : period,
      spans_refused_until_ms: null,
    }
    await records
      .insertInto('project_setting')
      .values({
        project_id: projectId,
        value: '{}',
        rate_limit_count: null,
        rate_limit_window_sec: null,
        updated_ms: 0,
        ...columns,
      })
      .onConflict((on) => on.column('project_id').doUpdateSet(columns))
      .execute()
  }
  const until = async () =>
    (await records.selectFrom('project_setting').select('spans_refused_until_ms as ms').executeTakeFirst())
      ?.ms

  it('have windows of the calendar in UTC', () => {
    const leap = { fromMs: Date.UTC(2028, 1), toMs: Date.UTC(2028, 2) }
    assert.deepEqual(capWindow('month', Date.UTC(2028, 1, 29, 23, 59, 59, 999)), leap)
    assert.deepEqual(capWindow('month', at('12-31T23:59')).toMs, Date.UTC(2027, 0))
    assert.deepEqual(capWindow('day', at('11-21T00:00')), {
      fromMs: at('11-21T00:00'),
      toMs: at('11-22T00:00'),
    })
  })

  it('count by day, whatever the order in which batches come', async () => {
    await add(10, '11-21T23:59')
    await add(5, '11-22T00:00')
    await add(1, '11-21T00:00')
    await add(0, '11-23T00:00')
    await add(7, '10-31T12:00')
    assert.deepEqual(await spanUsage(records, projectId, NOVEMBER), [
      { dayMs: at('11-21T00:00'), spans: 11 },
      { dayMs: at('11-22T00:00'), spans: 5 },
    ])
  })

  it('close the door until the window ends, once what is stored reaches the cap', async () => {
    await cap(20)
    await add(3, '11-22T10:00')
    assert.equal(await until(), null, '19 of 20')
    await add(1, '11-22T11:00')
    assert.equal(await until(), Date.UTC(2026, 11))
    await cap(100)
    await add(1, '11-22T12:00')
    assert.equal(await until(), null)
    assert.equal(
      await refusedUntilMs(records, projectId, { count: 21, period: 'month' }, at('11-22T13:00')),
      Date.UTC(2026, 11),
    )
    assert.equal(
      await refusedUntilMs(records, projectId, { count: 22, period: 'month' }, at('11-22T13:00')),
      null,
    )
  })

  it('of a day: what arrived before midnight and is counted after it opens no door', async () => {
    await cap(30, 'day')
    await add(30, '11-24T01:00')
    assert.equal(await until(), at('11-25T00:00'))
    await add(40, '11-23T23:59')
    assert.equal(await until(), at('11-25T00:00'))
  })

  it('count nothing of a project that was deleted, and forget what is older than two months', async () => {
    await add(5, '11-24T01:00', 4711)
    assert.deepEqual(await spanUsage(records, 4711, NOVEMBER), [])
    await add(1, '08-01T00:00')
    await add(1, '11-25T00:00')
    const all = await spanUsage(records, projectId, { fromMs: 0, toMs: at('12-31T00:00') })
    assert.equal(all[0]?.dayMs, at('10-31T00:00'))
    assert.ok(usedSpans(all) > 80)
  })
})
