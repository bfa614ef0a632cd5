import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  deployMarkers,
  eventSeries,
  MAX_MARKERS,
  type ReleaseMarker,
  transactionSeries,
  vitalTrend,
  withDeploys,
} from '@sonde/queries'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type OrgGrant, type ProjectGrant } from './harness.ts'
import { performanceRows } from './performance/rows.ts'

const WINDOW = { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS }
const ago = (minutes: number): number => NOW_MS - minutes * MINUTE_MS

let harness: Harness
let org: OrgGrant
let shop: ProjectGrant
let api: ProjectGrant

type Deploy = { readonly to: string; readonly atMs: number; readonly projects?: readonly number[] }

/** A release of the projects, with deploys of those that each names. */
async function release(version: string, projects: readonly number[], deploys: readonly Deploy[]) {
  const one = async (table: 'release' | 'deploy', values: object): Promise<number> => {
    const { id } = await harness.db
      .insertInto(table)
      .values(values as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const id = await one('release', { org_id: org.orgId, version, created_ms: NOW_MS })
  for (const project_id of projects)
    await harness.db.insertInto('release_project').values({ release_id: id, project_id }).execute()
  for (const { to, atMs, projects: named = [] } of deploys) {
    const deploy = await one('deploy', { release_id: id, environment: to, finished_ms: atMs })
    for (const project_id of named)
      await harness.db.insertInto('deploy_project').values({ deploy_id: deploy, project_id }).execute()
  }
}

describe('deploy markers', () => {
  before(async () => {
    harness = await openHarness()
    org = await harness.org('acme')
    shop = await harness.project(org, 'shop')
    api = await harness.project(org, 'api')
  })

  after(() => harness.close())

  it('are of the window, of the environment, and of the projects that they name', async () => {
    await release(
      'one',
      [shop.projectId, api.projectId],
      [
        { to: 'staging', atMs: ago(50) },
        { to: 'production', atMs: ago(40), projects: [api.projectId] },
        { to: 'production', atMs: ago(61) },
        { to: 'production', atMs: NOW_MS },
      ],
    )
    await release('two', [api.projectId], [{ to: 'production', atMs: ago(30) }])
    const markers = async (projects: readonly number[], environment?: readonly string[]) =>
      (await deployMarkers(harness.deps, projects, { ...WINDOW, environment })).map(
        (marker) => `${marker.release} ${marker.deployedTo} ${(NOW_MS - marker.atMs) / MINUTE_MS}`,
      )
    assert.deepEqual(await markers([shop.projectId]), ['one staging 50'])
    assert.deepEqual(await markers([api.projectId]), [
      'two production 30',
      'one production 40',
      'one staging 50',
    ])
    assert.deepEqual(await markers([api.projectId], ['production']), [
      'two production 30',
      'one production 40',
    ])
    assert.deepEqual(await markers([]), [])
  })

  it('take the place of first seen releases on every chart, and leave the others', async () => {
    const rows = performanceRows(harness)
    const site = await harness.project(org, 'site')
    await release('site@2', [site.projectId], [{ to: 'production', atMs: ago(20) }])
    const seen = [
      { release: 'site@1', timestampMs: ago(50) },
      { release: 'site@2', timestampMs: ago(19) },
    ]
    const [issue = 0] = await harness.issues(site.projectId, [{}])
    await harness.events(site.projectId, issue, seen)
    await rows.vitals(site.projectId, seen)
    await rows.spans(
      site.projectId,
      seen.map(({ release: name, timestampMs }) => ({ release: name, startMs: timestampMs })),
    )
    const expected: ReleaseMarker[] = [
      { release: 'site@1', atMs: ago(50) },
      { release: 'site@2', atMs: ago(20), deployedTo: 'production' },
    ]
    const { deps } = harness
    assert.deepEqual((await eventSeries(deps, site, WINDOW)).markers, expected)
    assert.deepEqual((await transactionSeries(deps, site, WINDOW)).markers, expected)
    assert.deepEqual((await vitalTrend(deps, site, { ...WINDOW, name: 'lcp' })).markers, expected)
    // Elsewhere it was not deployed, so there it was only seen.
    const staging = await eventSeries(deps, site, { ...WINDOW, environments: ['', 'staging'] })
    assert.deepEqual(
      staging.markers.map(({ deployedTo }) => deployedTo),
      [undefined, undefined],
    )
  })

  it('are the newest when there are too many', () => {
    const many = Array.from({ length: MAX_MARKERS }, (_, index) => ({ release: `r${index}`, atMs: index }))
    const merged = withDeploys(many, [{ release: 'd', atMs: 1.5, deployedTo: 'production' }])
    assert.equal(merged.length, MAX_MARKERS)
    assert.deepEqual(
      merged.slice(0, 2).map(({ release: name }) => name),
      ['r1', 'd'],
    )
  })
})
