/** Connections to issue trackers: who may, what they take, what of their secrets is ever told, and what is written down. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, type UserViewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import {
  type CommandDeps,
  createTracker,
  createTrackerIssue,
  deleteTracker,
  draftTrackerIssue,
  ensureProject,
  InvalidInput,
  linkTrackerIssue,
  searchTracker,
  testTracker,
  unlinkTrackerIssue,
  updateTracker,
} from '@sonde/commands'
import { createOutgoing } from '@sonde/outgoing'
import { listTrackers, trackerById, trackerLinks, trackerNames } from '@sonde/queries'
import { startGithub } from '../../../tests/harness/trackers/github.ts'
import type { TrackerServer } from '../../../tests/harness/trackers/tracker-server.ts'
import { type Harness, openHarness } from './harness.ts'

const kind = (expected: string) => (error: SondeError) => error.kind === expected
const fields =
  (...names: string[]) =>
  (error: unknown) => {
    assert.ok(error instanceof InvalidInput, String(error))
    assert.deepEqual(Object.keys(error.fields), names)
    return true
  }

describe('connections to issue trackers', () => {
  let harness: Harness
  let deps: CommandDeps
  let github: TrackerServer
  let admin: UserViewer
  let member: UserViewer
  let rival: UserViewer
  let issueId: number
  let trackerId: number
  const outgoing = createOutgoing({ allowed: ['127.0.0.0/8'], userAgent: 'Sonde/test' })
  before(async () => {
    harness = await openHarness()
    deps = { ...harness.deps, trackers: { outgoing, seal: harness.access.seal } }
    github = await startGithub('token-of-acme', ['acme/shop', 'acme/app'])
    const shop = await ensureProject(deps, operatorViewer, { org: 'acme', slug: 'shop' })
    await ensureProject(deps, operatorViewer, { org: 'rival', slug: 'shop' })
    ;[issueId = 0] = await harness.issues(shop.id, 1)
    admin = await harness.viewer('acme', 'admin')
    member = await harness.viewer('acme', 'member')
    rival = await harness.viewer('rival', 'admin')
  })
  after(async () => {
    github.close()
    await outgoing.close()
    await harness.close()
  })
  const manage = (viewer: UserViewer, org = 'acme') => deps.access.openOrg(viewer, org, 'integration:write')
  const work = (viewer: UserViewer, org = 'acme') => deps.access.openOrg(viewer, org, 'event:write')
  const settings = (more: object = {}) => ({ apiUrl: github.url, places: ['acme/shop', 'acme/app'], ...more })
  const stored = async () => {
    const { secret, ...row } = await deps.records
      .selectFrom('tracker_connection')
      .selectAll()
      .where('id', '=', trackerId)
      .executeTakeFirstOrThrow()
    return {
      row,
      sealed: secret,
      opened: JSON.parse(await deps.access.seal.open(secret)) as Record<string, string>,
    }
  }

  it('is made by whoever may set up integrations, with a secret for webhooks that is shown once', async () => {
    await assert.rejects(manage(member), kind('forbidden'))
    const made = await createTracker(deps, await manage(admin), {
      kind: 'github',
      name: 'Shop',
      settings: settings(),
      secret: { token: 'token-of-acme' },
    })
    trackerId = made.id
    const { row, sealed, opened } = await stored()
    assert.deepEqual(opened, { token: 'token-of-acme', webhookSecret: made.webhookSecret })
    assert.match(made.webhookSecret ?? '', /^[\w-]{43}$/)
    assert.deepEqual([row.sync_in, row.sync_out], [1, 1])
    for (const part of ['token-of-acme', made.webhookSecret ?? ''])
      assert.ok(!`${sealed}${JSON.stringify(row)}`.includes(part))
    const detail = await trackerById(
      { ...deps, publicUrl: 'https://sonde.test' },
      await manage(admin),
      trackerId,
    )
    assert.equal(detail?.webhookUrl, `https://sonde.test/api/0/trackers/${trackerId}/webhook/`)
    assert.ok(!JSON.stringify(detail).includes('token-of-acme'))
    assert.deepEqual(
      (await trackerNames(deps, await work(member))).map(({ name, places }) => [name, ...places]),
      [['Shop', 'acme/shop', 'acme/app']],
    )
    assert.deepEqual(await listTrackers(deps, await deps.access.openOrg(rival, 'rival', 'alert:read')), [])
    assert.equal(
      await trackerById({ ...deps, publicUrl: '' }, await manage(rival, 'rival'), trackerId),
      undefined,
    )
  })

  it('takes one whose webhook secret the tracker makes', async () => {
    const made = await createTracker(deps, await manage(admin), {
      kind: 'linear',
      name: 'Linear',
      settings: { places: ['ENG'] },
      secret: { token: 'lin_api_1', webhookSecret: 'lin_wh_1' },
    })
    assert.equal(made.webhookSecret, undefined)
    await deleteTracker(deps, await manage(admin), { trackerId: made.id })
  })

  it('says which field is wrong', async () => {
    const make = async (input: object) =>
      createTracker(deps, await manage(admin), {
        kind: 'github',
        name: 'x',
        settings: settings(),
        secret: { token: 't' },
        ...input,
      } as never)
    await assert.rejects(make({ kind: 'bugzilla' }), fields('kind'))
    await assert.rejects(make({ name: ' ' }), fields('name'))
    await assert.rejects(make({ settings: { places: [] } }), fields('places'))
    await assert.rejects(make({ settings: { places: ['shop'] } }), fields('places'))
    await assert.rejects(make({ settings: { places: ['acme/shop/../../x'] } }), fields('places'))
    await assert.rejects(make({ settings: settings({ apiUrl: 'ftp://x' }) }), fields('apiUrl'))
    await assert.rejects(make({ secret: {} }), fields('token'))
    await assert.rejects(make({ secret: { token: 'a b' } }), fields('token'))
    await assert.rejects(make({ kind: 'jira', settings: { places: ['SHOP'] } }), fields('url', 'email'))
    await assert.rejects(
      make({ kind: 'jira', settings: { url: 'https://x.test', email: 'a@b.test', places: ['shop'] } }),
      fields('places'),
    )
  })

  it('says what the tracker says of its token', async () => {
    assert.deepEqual(await testTracker(deps, await manage(admin), { trackerId }), {
      isWorking: true,
      answer: 'GitHub knows the token as octocat, who sees acme/shop, acme/app',
    })
    github.refuse({ status: 401, body: { message: 'Bad credentials' } })
    const { isWorking, answer } = await testTracker(deps, await manage(admin), { trackerId })
    assert.equal(isWorking, false)
    assert.match(answer, /GitHub answered 401: Bad credentials. The token is not valid/)
    await assert.rejects(testTracker(deps, await manage(rival, 'rival'), { trackerId }), kind('not-found'))
  })

  it('keeps what is not said, and sends its token nowhere else', async () => {
    const before = (await stored()).opened
    await updateTracker(deps, await manage(admin), { trackerId, name: 'Renamed', isSyncedIn: false })
    const { row, opened } = await stored()
    assert.deepEqual([row.name, row.sync_in, row.sync_out, opened], ['Renamed', 0, 1, before])
    await assert.rejects(
      updateTracker(deps, await manage(admin), {
        trackerId,
        settings: settings({ apiUrl: 'https://evil.test' }),
      }),
      fields('token'),
    )
    await updateTracker(deps, await manage(admin), {
      trackerId,
      secret: { token: 'another', webhookSecret: '' },
    })
    assert.deepEqual((await stored()).opened, { ...before, token: 'another' })
    const { webhookSecret } = await updateTracker(deps, await manage(admin), {
      trackerId,
      newWebhookSecret: true,
    })
    assert.notEqual(webhookSecret, before['webhookSecret'])
    assert.deepEqual((await stored()).opened, { token: 'another', webhookSecret })
    await updateTracker(deps, await manage(admin), {
      trackerId,
      settings: settings(),
      secret: { token: 'token-of-acme' },
    })
    await assert.rejects(
      updateTracker(deps, await manage(rival, 'rival'), { trackerId, name: 'x' }),
      kind('not-found'),
    )
    // Of a key of the installation that is lost: both are made anew.
    await deps.records.updateTable('tracker_connection').set({ secret: '' }).execute()
    const lost = await updateTracker(deps, await manage(admin), {
      trackerId,
      secret: { token: 'token-of-acme' },
    })
    assert.deepEqual((await stored()).opened, { token: 'token-of-acme', webhookSecret: lost.webhookSecret })
  })

  it('a member searches, makes, links and unlinks, within the places of the connection', async () => {
    const grant = await work(member)
    const draft = await draftTrackerIssue(deps, grant, { issueId })
    assert.equal(draft.title, 'Error')
    assert.match(draft.body, /^\[SHOP-1\]\(http:\/\/sonde\.test\/acme\/shop\/issues\/SHOP-1\) in Sonde/)
    const made = await createTrackerIssue(deps, grant, { issueId, trackerId, place: 'acme/app' })
    assert.equal(made.key, 'acme/app#1')
    github.add('acme/shop', 'Broken cart')
    const found = await searchTracker(deps, grant, { trackerId, text: 'Broken' })
    assert.deepEqual(
      found.map(({ key }) => key),
      ['acme/shop#1'],
    )
    assert.deepEqual(await searchTracker(deps, grant, { trackerId, text: 'acme/app#1' }), [
      await searchTracker(deps, grant, { trackerId, place: 'acme/app', text: '' }).then(([first]) => first),
    ])
    await assert.rejects(searchTracker(deps, grant, { trackerId, place: 'acme/secret' }), fields('place'))
    const linked = await linkTrackerIssue(deps, grant, { issueId, trackerId, key: '#1' })
    assert.deepEqual(await linkTrackerIssue(deps, grant, { issueId, trackerId, key: 'ACME/shop#1' }), linked)
    assert.equal((await trackerLinks(deps, grant, issueId)).length, 2)
    // A comment that is refused is no reason against the link.
    const other = github.add('acme/shop', 'Locked')
    const read = {
      status: 200,
      body: {
        id: 77,
        number: other.number,
        html_url: 'https://github.test/x',
        title: 'Locked',
        state: 'open',
        updated_at: '2026-01-01T00:00:00Z',
      },
    }
    github.refuse(read, {
      status: 403,
      body: { message: 'Unable to create comment because issue is locked.' },
    })
    await linkTrackerIssue(deps, grant, { issueId, trackerId, key: `#${other.number}` })
    const links = await trackerLinks(deps, grant, issueId)
    assert.match(links.at(-1)?.answer ?? '', /no comment could be written there: .*issue is locked/)
    const foreign = await work(rival, 'rival')
    assert.deepEqual(await trackerLinks(deps, foreign, issueId), [])
    const refused = [
      searchTracker(deps, foreign, { trackerId }),
      draftTrackerIssue(deps, foreign, { issueId }),
      createTrackerIssue(deps, foreign, { issueId, trackerId }),
      linkTrackerIssue(deps, foreign, { issueId, trackerId, key: '#1' }),
      unlinkTrackerIssue(deps, foreign, { issueId, linkId: linked.id }),
    ]
    await Promise.all(refused.map((each) => assert.rejects(each, kind('not-found'))))
    assert.deepEqual(await unlinkTrackerIssue(deps, grant, { issueId, linkId: linked.id }), {
      key: 'acme/shop#1',
    })
    await assert.rejects(unlinkTrackerIssue(deps, grant, { issueId, linkId: linked.id }), kind('not-found'))
  })

  it('an issue has so many links, and no more', async () => {
    const grant = await work(member)
    for (let at = (await trackerLinks(deps, grant, issueId)).length; at < 20; at++)
      await createTrackerIssue(deps, grant, { issueId, trackerId })
    const before = github.issues.length
    await assert.rejects(createTrackerIssue(deps, grant, { issueId, trackerId }), fields('key'))
    assert.equal(github.issues.length, before)
  })

  it('what was done is written down, without secrets', async () => {
    await deleteTracker(deps, await manage(admin), { trackerId })
    await assert.rejects(deleteTracker(deps, await manage(admin), { trackerId }), kind('not-found'))
    assert.deepEqual(await deps.records.selectFrom('tracker_link').select('id').execute(), [])
    const actions = (await harness.audit()).map((line) => line.split(' ')[1])
    for (const action of [
      'tracker.create',
      'tracker.test',
      'tracker.update',
      'tracker.delete',
      'issue.link',
      'issue.unlink',
      'issue.create_external',
    ])
      assert.ok(actions.includes(action), action)
    const details = await deps.records.selectFrom('audit_entry').select('detail').execute()
    assert.ok(!JSON.stringify(details).includes('token-of'))
  })
})
