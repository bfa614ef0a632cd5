import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openInstallation, operatorViewer, type UserViewer } from '@sonde/access'
import {
  dsnFor,
  installationOutcomes,
  listOrganizations,
  listProjects,
  projectKeys,
  projectDsns,
  projectOverviews,
} from '@sonde/queries'
import { encodeOutcomeRow } from '@sonde/stores'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type OrgGrant, type ProjectGrant } from './harness.ts'

const DAY_MS = 86_400_000

const outcome = (projectId: number, name: string, reason: string, quantity: number, atMs = NOW_MS) =>
  encodeOutcomeRow({ atMs, projectId, keyId: 1, category: 'error', outcome: name, reason, quantity })

describe('organizations and projects', () => {
  let harness: Harness
  let acme: OrgGrant
  let shop: ProjectGrant
  let rival: ProjectGrant
  before(async () => {
    harness = await openHarness()
    acme = await harness.org('acme')
    shop = await harness.project(acme, 'shop')
    await harness.project(acme, 'api')
    rival = await harness.project(await harness.org('rival'), 'secret')
    const [issueId = 0] = await harness.issues(shop.projectId, [
      {},
      { status: 'resolved', first_seen_ms: NOW_MS - 3 * DAY_MS },
      { first_seen_ms: NOW_MS - 3 * DAY_MS, last_seen_ms: NOW_MS - 2 * DAY_MS },
    ])
    await harness.events(shop.projectId, issueId, [
      { userKey: 'id:1' },
      { userKey: 'id:1', timestampMs: NOW_MS - 5 * MINUTE_MS },
      { timestampMs: NOW_MS - 2 * DAY_MS, userKey: 'id:2' },
    ])
    await harness.db
      .insertInto('project_key')
      .values({
        project_id: shop.projectId,
        public_key: 'a'.repeat(32),
        label: 'Default',
        rate_limit_count: 10,
        rate_limit_window_sec: 60,
        created_ms: NOW_MS,
      })
      .execute()
    await harness.telemetry.insert(
      'outcomes',
      [
        outcome(shop.projectId, 'accepted', '', 5),
        outcome(shop.projectId, 'accepted', '', 7, NOW_MS - 10 * MINUTE_MS),
        outcome(shop.projectId, 'rate_limited', 'key', 2),
        outcome(shop.projectId, 'accepted', '', 100, NOW_MS - 2 * DAY_MS),
        outcome(rival.projectId, 'accepted', '', 1_000),
      ],
      'outcomes',
    )
  })
  after(() => harness.close())

  it('organizations come with their number of projects', async () => {
    const rows = await listOrganizations(harness.deps, [acme])
    assert.deepEqual(
      rows.map(({ slug, projectCount, createdMs }) => [slug, projectCount, createdMs]),
      [['acme', 2, NOW_MS]],
    )
    assert.deepEqual(await listOrganizations(harness.deps, []), [])
  })

  it('projects come in slug order with what is unresolved', async () => {
    const rows = await listProjects(harness.deps, acme)
    assert.deepEqual(
      rows.map(({ slug, unresolvedCount, firstEventMs }) => [slug, unresolvedCount, firstEventMs]),
      [
        ['api', 0, undefined],
        ['shop', 2, undefined],
      ],
    )
    assert.deepEqual(
      (await listProjects(harness.deps, shop)).map((row) => row.slug),
      ['shop'],
    )
  })

  it('keys carry the DSN that an SDK takes', async () => {
    const [key] = await projectKeys(harness.deps, shop)
    assert.equal(key?.dsn, `http://${'a'.repeat(32)}@sonde.test:8600/${shop.projectId}`)
    assert.deepEqual(key?.rateLimit, { count: 10, windowSec: 60 })
    assert.deepEqual(await projectKeys(harness.deps, rival), [])
  })

  const DSNS = [
    ['http://127.0.0.1:8600', 'http://k@127.0.0.1:8600/7'],
    ['https://sonde.test', 'https://k@sonde.test/7'],
    ['https://sonde.test/mounted/here/', 'https://k@sonde.test/mounted/here/7'],
    ['http://[::1]:9', 'http://k@[::1]:9/7'],
  ] as const
  for (const [publicUrl, dsn] of DSNS) {
    it(`${publicUrl} makes ${dsn}`, () => assert.equal(dsnFor(publicUrl, 'k', 7), dsn))
  }

  it('the overview of each project counts its day and nothing else', async () => {
    const expected = { newIssues24h: 1, events24h: 2, users24h: 1, lastEventMs: NOW_MS - MINUTE_MS }
    assert.deepEqual((await projectOverviews(harness.deps, shop))(shop.projectId), expected)
    const ofAcme = await projectOverviews(harness.deps, acme)
    assert.deepEqual(ofAcme(shop.projectId), expected)
    assert.equal(ofAcme(rival.projectId).newIssues24h, 0)
    const { events24h, lastEventMs } = (await projectOverviews(harness.deps, rival))(rival.projectId)
    assert.deepEqual([events24h, lastEventMs], [0, undefined])
  })

  it('each project has the DSN of a key that works', async () => {
    const dsnOf = await projectDsns(harness.deps, acme)
    assert.equal(dsnOf(shop.projectId), `http://${'a'.repeat(32)}@sonde.test:8600/${shop.projectId}`)
    assert.equal(dsnOf(rival.projectId), undefined)
  })

  it('outcomes of the whole installation are not for who has an organization', async () => {
    const owner = { kind: 'user', isOperator: false } as UserViewer
    assert.throws(() => openInstallation(owner), { kind: 'forbidden' })
  })

  it('outcomes are summed over the period and the grant', async () => {
    const [all] = await installationOutcomes(harness.deps, openInstallation(operatorViewer), {
      periodMs: DAY_MS,
    })
    assert.equal(all?.quantity, 1_012)
  })
})
