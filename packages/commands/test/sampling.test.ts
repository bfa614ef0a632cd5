import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, type UserViewer } from '@sonde/access'
import { ensureProject, InvalidInput, setSpanCaps, updateProjectSampling } from '@sonde/commands'
import { projectSettings } from '@sonde/queries'
import { addSpanUsage, capWindow } from '@sonde/stores'
import { type Harness, openHarness } from './harness.ts'

const SHOP = { org: 'acme', project: 'shop' }
const rule = (fields: object = {}) => ({
  route: '',
  op: '',
  release: '',
  environment: '',
  rate: 0.1,
  ...fields,
})

describe('sampling of a project', () => {
  let harness: Harness
  let owner: UserViewer
  before(async () => {
    harness = await openHarness()
    await ensureProject(harness.deps, operatorViewer, { org: 'acme', slug: 'shop' })
    owner = await harness.viewer('acme', 'owner')
  })
  after(() => harness.close())

  const settings = async () => {
    const grant = await harness.access.openProject(owner, 'acme', 'shop', 'project:read')
    const found = await projectSettings({ records: harness.db }, grant)
    assert.ok(found)
    return found
  }
  const refusals = async (rules: readonly object[]) => {
    const input = { ...SHOP, rules, sampleMeasured: false } as Parameters<typeof updateProjectSampling>[2]
    const error = await harness.deps.access
      .openProject(owner, 'acme', 'shop', 'project:write')
      .then((grant) => updateProjectSampling(harness.deps, grant, input))
      .then(
        () => assert.fail('was taken'),
        (reason: unknown) => reason,
      )
    assert.ok(error instanceof InvalidInput)
    return error.fields
  }

  it('rules are kept in their order, trimmed, and the other settings stay', async () => {
    const rules = [rule({ route: ' /health* ', rate: 0 }), rule({ op: 'http.server', rate: 0.25 }), rule()]
    await updateProjectSampling(
      harness.deps,
      await harness.deps.access.openProject(owner, SHOP.org, SHOP.project, 'project:write'),
      { ...SHOP, rules, sampleMeasured: true },
    )
    const { sampling, scrub } = await settings()
    assert.deepEqual(sampling, {
      rules: [rule({ route: '/health*', rate: 0 }), ...rules.slice(1)],
      sampleMeasured: true,
    })
    assert.equal(scrub.enabled, true)
    const audit = await harness.db
      .selectFrom('audit_entry')
      .select(['subject', 'detail'])
      .where('action', '=', 'project.sampling')
      .execute()
    assert.equal(audit.length, 1)
    assert.match(audit[0]?.detail ?? '', /"before":.*"after":.*\/health\*/)
  })

  it('what makes no sense is told at its field of its rule', async () => {
    const share = 'is a share from 0.01 to 100 percent, or 0 to drop all'
    const bad = [
      rule({ rate: 0.000_01 }),
      rule({ rate: 1.5, op: 'a' }),
      rule({ rate: NaN, op: 'b' }),
      rule({ op: 'x'.repeat(65) }),
    ]
    assert.deepEqual(await refusals(bad), {
      'rules.0.rate': [share],
      'rules.1.rate': [share],
      'rules.2.rate': [share],
      'rules.3.op': ['an op has at most 64 characters'],
    })
    assert.deepEqual(await refusals([rule({ route: '/a' }), rule(), rule({ route: '/a', rate: 1 })]), {
      'rules.2.route': ['is the same as rule 1, which decides before it'],
    })
    const many = Array.from({ length: 51 }, (_, n) => rule({ route: `/${n}` }))
    assert.deepEqual(await refusals(many), { rules: ['at most 50 rules'] })
  })

  it('a cap below what is stored closes the door at once, and one above it opens the door', async () => {
    const { id } = await settings()
    const nowMs = harness.deps.clock.nowMs()
    await addSpanUsage(harness.db, [{ projectId: id, receivedMs: nowMs, spans: 500 }])
    const until = async () =>
      (await harness.db.selectFrom('project_setting').selectAll().executeTakeFirstOrThrow())
        .spans_refused_until_ms
    const set = (count: number | null) => {
      const cap = count === null ? null : ({ count, period: 'month' } as const)
      return harness.deps.access
        .openProject(owner, SHOP.org, SHOP.project, 'project:write')
        .then((grant) => setSpanCaps(harness.deps, grant, { ...SHOP, cap, perMinute: 100 }))
    }
    await set(501)
    assert.equal(await until(), null)
    await set(500)
    assert.equal(await until(), capWindow('month', nowMs).toMs)
    await set(null)
    assert.equal(await until(), null)
    assert.equal((await settings()).sampling.rules.length, 3, 'the rules stay')
    await assert.rejects(set(0), InvalidInput)
    await assert.rejects(set(1.5), InvalidInput)
  })
})
