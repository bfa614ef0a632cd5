/** `kill -9` after every step of a delivery: each incident is told at least once, at most twice, and under one key. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { silentLogger as logger } from '@sonde/base'
import { noteIssueChanges, openRecords, type Records } from '@sonde/stores'
import { newSigningSecret } from '../src/channels/webhook.ts'
import { ISSUE_RULE } from '../src/index.ts'
import { openReceiver } from './harness.ts'

const KILLS = ['evaluated', 'claimed', 'delivered', 'noted'] as const
const ISSUES = 8

it('kill -9 after every step neither loses a notification nor tells one three times', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'sonde-alerts-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const receiver = await openReceiver()
  t.after(() => receiver.close())
  const file = join(dir, 'records.sqlite')
  const { db: records, close } = await openRecords({ file }, { logger })
  t.after(() => close())
  await prepare(records, receiver.url)

  for (const step of [...KILLS, 'none']) {
    const child = fork(join(import.meta.dirname, 'kill-child.ts'), [file, step], {
      execArgv: ['--conditions=@sonde/source'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
    assert.deepEqual([code, signal], step === 'none' ? [0, null] : [null, 'SIGKILL'], step)
  }

  const keys = receiver.received.map(({ headers }) => String(headers['webhook-id']))
  const times = new Map([...Map.groupBy(keys, (key) => key)].map(([key, all]) => [key, all.length]))
  assert.equal(times.size, ISSUES)
  assert.ok(Math.max(...times.values()) <= 2, JSON.stringify([...times.values()]))
  // The kills after "delivered" are those that nobody noted.
  assert.equal(keys.length, ISSUES + KILLS.filter((step) => step === 'delivered').length)
  const rows = await records.selectFrom('notification').select('state').execute()
  assert.deepEqual(
    rows.map(({ state }) => state),
    Array.from({ length: ISSUES }, () => 'sent'),
  )
  const incidents = await records.selectFrom('incident').select('issue_id').execute()
  assert.equal(new Set(incidents.map(({ issue_id }) => issue_id)).size, ISSUES)
  assert.equal(incidents.length, ISSUES)
})

async function prepare(records: Records, url: string): Promise<void> {
  const nowMs = Date.now()
  const org = await records
    .insertInto('organization')
    .values({ slug: 'acme', name: 'acme', created_ms: nowMs })
    .returning('id')
    .executeTakeFirstOrThrow()
  const project = await records
    .insertInto('project')
    .values({ org_id: org.id, slug: 'shop', name: 'shop', platform: 'javascript', created_ms: nowMs })
    .returning('id')
    .executeTakeFirstOrThrow()
  const channel = await records
    .insertInto('notification_channel')
    .values({
      org_id: org.id,
      kind: 'webhook',
      name: 'hook',
      settings: JSON.stringify({ url }),
      secret: JSON.stringify({ key: newSigningSecret(new Uint8Array(32)) }),
      created_by: 'operator:cli',
      created_ms: nowMs,
      updated_ms: nowMs,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rule = ISSUE_RULE.parse({
    triggers: [{ type: 'new' }],
    actions: [{ type: 'channel', channelId: channel.id }],
  })
  await records
    .insertInto('alert_rule')
    .values({
      project_id: project.id,
      kind: 'issue',
      name: 'Rule',
      value: JSON.stringify(rule),
      origin: '',
      created_by: 'operator:cli',
      created_ms: nowMs,
      updated_ms: nowMs,
    })
    .execute()
  for (let number = 1; number <= ISSUES; number++) {
    const issue = await records
      .insertInto('issue')
      .values({
        project_id: project.id,
        short_number: number,
        type: 'error',
        level: 'error',
        title: `Error ${number}`,
        culprit: '',
        platform: 'other',
        metadata: '{}',
        logger: '',
        is_unhandled: 0,
        first_seen_ms: nowMs,
        last_seen_ms: nowMs,
        event_count: 1,
        first_release: '',
        last_release: '',
        last_event_id: '',
        created_ms: nowMs,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await noteIssueChanges(records, [{ projectId: project.id, issueId: issue.id, kind: 'new' }], nowMs)
  }
}
