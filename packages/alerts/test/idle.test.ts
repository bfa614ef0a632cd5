/** What the jobs cost while nothing happens, in statements. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountMail } from '@sonde/access'
import { watchRecords } from '@sonde/jobs'
import type { KyselyPlugin } from 'kysely'
import { startAlerts } from '../src/index.ts'
import { NOW_MS, openHarness } from './harness.ts'

const LOOK_MS = 20
/** Longer than jobs pause that look by themselves. */
const QUIET_MS = 1_500
const MAIL: AccountMail = {
  subject: 'Ada invited you',
  heading: 'Join acme',
  lines: [],
  facts: [],
  button: { label: 'Accept', url: 'https://sonde.test/' },
  footer: 'You got this because somebody typed your address.',
}

describe('jobs of alerts, while nothing happens', () => {
  let harness: Awaited<ReturnType<typeof openHarness>>
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  it('run no statement, and work soon after a change that nobody told them of', async () => {
    let statements = 0
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => (statements++, node),
      transformResult: ({ result }) => Promise.resolve(result),
    }
    let looks = 0
    let version = 0
    const read = (): string => (looks++, String(version))
    const watch = watchRecords(read, harness.deps.clock, LOOK_MS)
    const records = harness.records.withPlugin(counting)
    const alerts = startAlerts({ ...harness.deps, records, watch })
    try {
      // The first time they have something to do: rates are learned.
      for (let seen = -1, round = 0; seen !== statements && round < 5; round++, await sleep(QUIET_MS))
        seen = statements
      const before = { statements, looks }
      await sleep(QUIET_MS)
      assert.equal(statements, before.statements)
      assert.ok(looks - before.looks > 10, `${looks - before.looks} looks`)

      const content = await harness.deps.channels.seal.seal(JSON.stringify(MAIL))
      const times = { next_attempt_ms: NOW_MS, created_ms: NOW_MS, expires_ms: NOW_MS + 86_400_000 }
      await harness.records
        .insertInto('account_mail')
        .values({ to_address: 'ada@sonde.test', content, ...times })
        .execute()
      version++
      harness.at(NOW_MS + 1_000)
      while (harness.mail.mails.length === 0) await sleep(LOOK_MS)
      assert.ok(statements > before.statements)
    } finally {
      await alerts.stop()
    }
  })
})
