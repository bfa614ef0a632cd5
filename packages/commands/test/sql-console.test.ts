import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import { ensureProject, noteSqlRun, switchSqlConsole } from '@sonde/commands'
import { type Harness, openHarness } from './harness.ts'

const ORG = { org: 'acme' }

describe('the SQL console', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
    await ensureProject(harness.deps, operatorViewer, {
      org: 'acme',
      slug: 'shop',
      name: 'Shop',
      platform: 'node',
    })
    await ensureProject(harness.deps, operatorViewer, {
      org: 'rival',
      slug: 'x',
      name: 'X',
      platform: 'node',
    })
  })
  after(() => harness.close())
  const runs = () =>
    harness.db
      .selectFrom('audit_entry')
      .select(['actor', 'action', 'detail'])
      .where('action', 'in', ['sql.run', 'sql.on', 'sql.off'])
      .execute()
  const kindOf = async (job: Promise<unknown>): Promise<string | undefined> =>
    job.then(
      () => undefined,
      (error: SondeError) => error.kind,
    )

  it('notes each run with its text, of everybody who may read', async () => {
    const viewer = await harness.viewer('acme', 'viewer')
    await noteSqlRun(
      harness.deps,
      await harness.deps.access.openOrg(viewer, ORG.org, 'event:read'),
      `SELECT ${'1'.repeat(2000)}`,
    )
    const [run] = await runs()
    assert.equal(run?.action, 'sql.run')
    assert.match(run?.actor ?? '', /^user:/)
    const detail = JSON.parse(run?.detail ?? '') as { sql: string; chars: number }
    assert.deepEqual([detail.sql.length, detail.chars], [1000, 2007])
  })

  it('is switched off and on by owners alone, and then by nobody run', async () => {
    const owner = await harness.viewer('acme', 'owner')
    const admin = await harness.viewer('acme', 'admin')
    assert.equal(
      await kindOf(
        harness.deps.access
          .openOrg(admin, ORG.org, 'org:write')
          .then((grant) => switchSqlConsole(harness.deps, grant, false)),
      ),
      'forbidden',
    )
    for (let twice = 0; twice < 2; twice++)
      await switchSqlConsole(
        harness.deps,
        await harness.deps.access.openOrg(owner, ORG.org, 'org:write'),
        false,
      )
    assert.equal(
      await kindOf(
        harness.deps.access
          .openOrg(owner, ORG.org, 'event:read')
          .then((grant) => noteSqlRun(harness.deps, grant, 'SELECT 1')),
      ),
      'forbidden',
    )
    await switchSqlConsole(harness.deps, await harness.deps.access.openOrg(owner, ORG.org, 'org:write'), true)
    assert.equal(
      await kindOf(
        harness.deps.access
          .openOrg(admin, ORG.org, 'event:read')
          .then((grant) => noteSqlRun(harness.deps, grant, 'SELECT 1')),
      ),
      undefined,
    )
    const actions = (await runs()).map(({ action }) => action)
    assert.deepEqual(actions, ['sql.run', 'sql.off', 'sql.off', 'sql.on', 'sql.run'])
  })

  it('is not there for who does not belong', async () => {
    const stranger = await harness.viewer('rival', 'owner')
    assert.equal(
      await kindOf(
        harness.deps.access
          .openOrg(stranger, ORG.org, 'event:read')
          .then((grant) => noteSqlRun(harness.deps, grant, 'SELECT 1')),
      ),
      'not-found',
    )
    assert.equal(
      await kindOf(
        harness.deps.access
          .openOrg(stranger, ORG.org, 'org:write')
          .then((grant) => switchSqlConsole(harness.deps, grant, false)),
      ),
      'not-found',
    )
  })
})
