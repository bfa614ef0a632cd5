import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sweepAuditLog } from '../src/audit.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const DAY_MS = 86_400_000

describe('the audit log', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  it('keeps entries for as long as it says, more of them than one step takes', async () => {
    const entry = (days: number) => ({
      org_id: null,
      actor: 'operator:cli',
      action: 'secret.rotate' as const,
      subject: 'x',
      detail: '{}',
      at_ms: NOW_MS - days * DAY_MS,
    })
    const { db } = harness
    await db.deleteFrom('audit_entry').execute()
    const rows = Array.from({ length: 1_100 }, (_, at) => entry(at < 1_001 ? 731 : 729))
    for (let at = 0; at < rows.length; at += 100)
      await db
        .insertInto('audit_entry')
        .values(rows.slice(at, at + 100))
        .execute()
    await sweepAuditLog(harness.deps, 730, new AbortController().signal)
    const left = await db.selectFrom('audit_entry').select('at_ms').execute()
    assert.deepEqual(
      left.map(({ at_ms }) => at_ms),
      Array.from({ length: 99 }, () => NOW_MS - 729 * DAY_MS),
    )
  })
})
