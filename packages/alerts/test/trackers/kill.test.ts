/** `kill -9` after every step of telling a tracker: nothing is lost, and an issue is closed and made as it would have been. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { silentLogger as logger } from '@sonde/base'
import { openRecords, type Records, type TrackerKind } from '@sonde/stores'
import type { TrackerServer } from '../../../../tests/harness/trackers/tracker-server.ts'
import { KINDS, TOKEN, WEBHOOK_SECRET } from './kinds.ts'

const KILLS = ['claimed', 'told', 'noted'] as const
const ISSUES = 5

// GitHub cannot tell that an issue was asked for before; Linear can, by the id that it is given.
for (const [kind, mostMade] of [
  ['github', ISSUES + 1],
  ['linear', ISSUES],
] as const)
  it(`${kind}: kill -9 after every step loses no request`, async (t) => {
    const dir = await mkdtemp(join(tmpdir(), 'sonde-trackers-'))
    t.after(() => rm(dir, { recursive: true, force: true }))
    const server = await KINDS[kind].start(TOKEN, KINDS[kind].places)
    t.after(() => server.close())
    const file = join(dir, 'records.sqlite')
    const { db: records, close } = await openRecords({ file }, { logger })
    t.after(() => close())
    await prepare(records, kind, server)
    const run = async (step: string): Promise<void> => {
      const child = fork(join(import.meta.dirname, 'kill-child.ts'), [file, step], {
        execArgv: ['--conditions=@sonde/source'],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
      assert.deepEqual([code, signal], step === 'none' ? [0, null] : [null, 'SIGKILL'], step)
    }
    const links = () =>
      records.selectFrom('tracker_link').select(['wanted', 'state', 'external_id', 'answer']).execute()

    for (const step of [...KILLS, 'none']) await run(step)
    assert.ok(server.issues.length <= mostMade, `${server.issues.length} were made`)
    for (const each of await links())
      assert.deepEqual([each.wanted, each.state, each.answer], ['', 'open', ''])
    const made = (await links()).map(({ external_id }) => external_id)
    assert.equal(new Set(made).size, ISSUES)

    await records.updateTable('tracker_link').set({ wanted: 'closed' }).execute()
    for (const step of [...KILLS, 'none']) await run(step)
    for (const each of await links()) assert.deepEqual([each.wanted, each.state], ['', 'closed'])
    for (const id of made) assert.equal(server.issues.find((issue) => issue.id === id)?.isOpen, false)
  })

async function prepare(records: Records, kind: TrackerKind, { url }: TrackerServer): Promise<void> {
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
  const { settings, places } = KINDS[kind]
  const connection = await records
    .insertInto('tracker_connection')
    .values({
      org_id: org.id,
      kind,
      name: kind,
      settings: JSON.stringify({ ...settings(url), places }),
      secret: JSON.stringify({ token: TOKEN, webhookSecret: WEBHOOK_SECRET }),
      sync_in: 1,
      sync_out: 1,
      created_by: 'operator:cli',
      created_ms: nowMs,
      updated_ms: nowMs,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (let at = 1; at <= ISSUES; at++) {
    const issue = await records
      .insertInto('issue')
      .values({
        project_id: project.id,
        short_number: at,
        type: 'error',
        level: 'error',
        title: `TypeError: number ${at}`,
        culprit: 'cart in checkout',
        platform: 'javascript',
        metadata: '{}',
        logger: '',
        is_unhandled: 1,
        first_seen_ms: nowMs,
        last_seen_ms: nowMs,
        event_count: 1,
        first_release: '',
        last_release: '',
        last_event_id: 'a'.repeat(32),
        created_ms: nowMs,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await records
      .insertInto('tracker_link')
      .values({
        connection_id: connection.id,
        issue_id: issue.id,
        external_id: '',
        external_key: '',
        url: '',
        title: '',
        state: 'open',
        changed_ms: 0,
        synced_ms: 0,
        created_by: 'rule:1',
        created_ms: nowMs,
        wanted: 'create',
        next_attempt_ms: nowMs,
      })
      .execute()
  }
}
