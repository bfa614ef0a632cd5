import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, secretCheck } from '@sonde/access'
import { ensureProject, rotateSecret } from '@sonde/commands'
import { type Harness, openHarness } from './harness.ts'

describe('rotateSecret', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    const { userId } = await harness.viewer('acme', 'member')
    await harness.db
      .insertInto('twoFactor')
      .values({ id: 'f', userId, secret: 'not encrypted with any key', backupCodes: '' })
      .execute()
  })
  after(() => harness.close())

  const sessions = () => harness.db.selectFrom('session').select('id').execute()

  it('changes nothing when what is stored was not written with the key', async () => {
    const keys = { from: 'o'.repeat(43), to: 'n'.repeat(43) }
    await assert.rejects(rotateSecret(harness.deps, operatorViewer, keys))
    assert.equal((await sessions()).length, 1)
  })

  it('changes nothing while a node runs that has read the key; one that only accepts events may run', async () => {
    const { deps, db } = harness
    const atMs = deps.clock.nowMs()
    const node = (name: string, roles: readonly string[], seenMs: number) => ({
      name,
      run: name,
      host: name,
      back_pid: null,
      version: '1',
      roles: JSON.stringify(roles),
      state: 'ready' as const,
      started_ms: atMs,
      seen_ms: seenMs,
      figures: '{}',
    })
    const rows = [
      node('a:3000', ['ingest'], atMs),
      node('b:3000', ['ingest', 'web'], atMs),
      node('c:3000', ['pipeline'], atMs - 20_000),
      node('d:3000', ['maintain'], atMs - 20_001),
    ]
    await db.insertInto('node').values(rows).execute()
    const keys = { from: undefined, to: 'n'.repeat(43) }
    await assert.rejects(rotateSecret(deps, operatorViewer, keys), {
      kind: 'conflict',
      message: 'b:3000, c:3000 run and would go on with the old key',
    })
    assert.equal((await sessions()).length, 1)
    await db.deleteFrom('node').where('name', 'in', ['b:3000', 'c:3000']).execute()
  })

  it('with the key lost, second factors and sessions end, and the records say which key is theirs now', async () => {
    const to = 'n'.repeat(43)
    const done = await rotateSecret(harness.deps, operatorViewer, { from: undefined, to })
    assert.deepEqual(done, { secondFactors: 1, channels: 0, sessions: 1 })
    assert.deepEqual(await sessions(), [])
    const row = await harness.db
      .selectFrom('setting')
      .select('value')
      .where('name', '=', 'auth_secret_check')
      .executeTakeFirst()
    assert.equal(row?.value, secretCheck(to))
    assert.match((await harness.audit()).at(-1) ?? '', /secret\.rotate installation$/)
  })
})
