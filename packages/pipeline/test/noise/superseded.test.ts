/** Which events come from a build that another deployment has replaced, and where that is known from. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isSuperseded } from '../../src/noise/superseded.ts'
import { readDeployedReleases } from '../../src/process/deployed-releases.ts'
import { type Harness, openHarness, until } from '../commit/harness.ts'

const HOUR_MS = 3_600_000
const NOW_MS = Date.now()
const deployed = { production: { version: 'shop@2.0.0', sinceMs: NOW_MS - 2 * HOUR_MS } }
const of = (release: string, environment = 'production') => ({ release, environment })

describe('a release that was superseded', () => {
  it('is one that another deployment has replaced for an hour', () => {
    assert.equal(isSuperseded(of('shop@1.9.0'), NOW_MS, deployed), true)
    assert.equal(isSuperseded(of('3f2a9c'), NOW_MS, deployed), true, 'whose version has no order')
    assert.equal(isSuperseded(of('shop@1.9.0'), NOW_MS - 1.5 * HOUR_MS, deployed), false, 'not yet')
    assert.equal(isSuperseded(of('shop@2.0.0'), NOW_MS, deployed), false, 'the one that is deployed')
    assert.equal(isSuperseded(of('shop@2.1.0'), NOW_MS, deployed), false, 'the next one')
  })

  it('is not known where nobody deployed, or no release is named', () => {
    assert.equal(isSuperseded(of('shop@1.9.0', 'staging'), NOW_MS, deployed), false)
    assert.equal(isSuperseded(of('shop@1.9.0', '__proto__'), NOW_MS, deployed), false)
    assert.equal(isSuperseded({ environment: 'production' }, NOW_MS, deployed), false)
    assert.equal(isSuperseded(of('shop@1.9.0'), NOW_MS, undefined), false)
  })
})

describe('what is deployed', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  async function deploy(projectId: number, version: string, hoursAgo: number, environment = 'production') {
    const { records } = harness
    const { org_id } = await records
      .selectFrom('project')
      .select('org_id')
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow()
    await records
      .insertInto('release')
      .values({ org_id, version, created_ms: 0 })
      .onConflict((on) => on.doNothing())
      .execute()
    const release = await records
      .selectFrom('release')
      .select('id')
      .where('org_id', '=', org_id)
      .where('version', '=', version)
      .executeTakeFirstOrThrow()
    const { id } = await records
      .insertInto('deploy')
      .values({
        release_id: release.id,
        environment,
        name: null,
        url: null,
        started_ms: null,
        finished_ms: NOW_MS - hoursAgo * HOUR_MS,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await records.insertInto('deploy_project').values({ deploy_id: id, project_id: projectId }).execute()
  }

  it('is the last deployment of each environment, since it is that', async () => {
    const [shop, other] = [await harness.createProject('shop'), await harness.createProject('other')]
    await deploy(shop, '2.0', 50)
    await deploy(shop, '1.9', 40)
    await deploy(shop, '2.0', 30)
    await deploy(shop, '2.0', 20)
    await deploy(shop, '2.1', 3, 'staging')
    await deploy(shop, '2.2', -1)
    await deploy(shop, '1.0', 24 * 31, 'preview')
    const read = await readDeployedReleases(harness.records, NOW_MS)
    assert.deepEqual(read, {
      [shop]: {
        production: { version: '2.0', sinceMs: NOW_MS - 30 * HOUR_MS },
        staging: { version: '2.1', sinceMs: NOW_MS - 3 * HOUR_MS },
      },
    })
    assert.equal(read[other], undefined)
  })

  it('decides what a server did not know of a tab, in the pipeline and when a batch is repeated', async () => {
    const project = await harness.createProject('tabs')
    await deploy(project, 'tabs@1.0.0', 20)
    await deploy(project, 'tabs@2.0.0', 5)
    const envelope = (id: string, release: string): string =>
      [
        JSON.stringify({ event_id: id.repeat(32) }),
        '{"type":"event"}',
        JSON.stringify({
          platform: 'javascript',
          release,
          environment: 'production',
          exception: { values: [{ type: 'UnrecognizedActionError', value: 'x' }] },
        }),
        '',
      ].join('\n')
    await harness.append(project, envelope('a', 'tabs@1.0.0'))
    await harness.append(project, envelope('b', 'tabs@2.0.0'))
    let crashed = false
    const first = await harness.start({
      afterStep(now) {
        if (now !== 'events') return
        crashed = true
        throw new Error('crash')
      },
    })
    await until(() => crashed, 'it crashes')
    await first.stop()
    // Rolled back meanwhile: what was read with the batch holds for it.
    await deploy(project, 'tabs@1.0.0', 2)
    const second = await harness.start()
    await until(() => second.state().records === 2, 'it is done')
    await second.stop()
    const rows = await harness.telemetry.query(
      `SELECT substring(toString(event_id), 1, 1) AS id, noise_class, tags['noise.rule'] AS rule
       FROM events WHERE project_id = {project:UInt32} ORDER BY id`,
      { project },
    )
    assert.deepEqual(rows, [
      { id: 'a', noise_class: 'stale_build', rule: 'superseded_build' },
      { id: 'b', noise_class: '', rule: '' },
    ])
  })
})
