import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, type UserViewer } from '@sonde/access'
import { ensureProject, InvalidInput, moveGrouping, updateGroupingRules } from '@sonde/commands'
import { projectSettings } from '@sonde/queries'
import { type Harness, openHarness } from './harness.ts'

describe('grouping rules of a project', () => {
  let harness: Harness
  let owner: UserViewer
  before(async () => {
    harness = await openHarness()
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    owner = await harness.viewer('acme', 'owner')
  })
  after(() => harness.close())

  const mayWrite = () => harness.access.openProject(owner, 'acme', 'shop', 'project:write')
  const grouping = async () => (await projectSettings({ records: harness.db }, await mayWrite()))?.grouping

  it('are kept as they were written; a text that is left out stays', async () => {
    const fingerprintRules = '# down\nerror.type:Db* -> system-down\n\nlevel:fatal -> {{ default }}, fatal'
    await updateGroupingRules(harness.deps, await mayWrite(), {
      fingerprintRules: `${fingerprintRules.replaceAll('\n', '\r\n')}\r\n`,
    })
    await updateGroupingRules(harness.deps, await mayWrite(), { stackRules: 'function:x -app' })
    assert.deepEqual(await grouping(), {
      fingerprintRules,
      stackRules: 'function:x -app',
      version: 'v1',
      previous: null,
    })
    const audit = await harness.db
      .selectFrom('audit_entry')
      .select('detail')
      .where('action', '=', 'project.grouping-rules')
      .orderBy('audit_entry.id')
      .execute()
    assert.equal(audit.length, 2)
    assert.match(audit[1]?.detail ?? '', /"before":.*"after":.*function:x/)
  })

  it('that cannot be read change nothing, and each line says why', async () => {
    const before = await grouping()
    const error = await updateGroupingRules(harness.deps, await mayWrite(), {
      fingerprintRules: 'level:fatal -> a\ntyp:x -> b\nlevel:x',
      stackRules: 'function:x -ap',
    }).catch((reason: unknown) => reason)
    assert.ok(error instanceof InvalidInput)
    assert.match(error.fields['fingerprintRules']?.[0] ?? '', /^Line 2, column 1: there is no matcher typ/)
    assert.match(error.fields['fingerprintRules']?.[1] ?? '', /^Line 3, column 8: the fingerprint is missing/)
    assert.match(error.fields['stackRules']?.[0] ?? '', /^Line 1, column 12: there is no action -ap/)
    assert.deepEqual(await grouping(), before)
  })

  it('the version that it has already is no move', async () => {
    await moveGrouping(harness.deps, await mayWrite(), { version: 'v1' })
    assert.equal((await grouping())?.previous, null)
    await moveGrouping(harness.deps, await mayWrite(), { version: 'v2' })
    const moved = await grouping()
    assert.deepEqual([moved?.version, moved?.previous?.version], ['v2', 'v1'])
    const days = ((moved?.previous?.untilMs ?? 0) - harness.deps.clock.nowMs()) / 86_400_000
    assert.ok(days > 29.9 && days <= 30, `${days}`)
    // The way back finds what was made meanwhile.
    await moveGrouping(harness.deps, await mayWrite(), { version: 'v1' })
    assert.equal((await grouping())?.previous?.version, 'v2')
    const none = { version: 'v9' } as never
    await assert.rejects(async () => moveGrouping(harness.deps, await mayWrite(), none), InvalidInput)
  })
})
