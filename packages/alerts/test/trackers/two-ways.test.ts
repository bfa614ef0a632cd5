/** Statuses go both ways: from a change in Sonde to the tracker, and from its webhooks to the issue, and never in a circle. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Grant, operatorViewer } from '@sonde/access'
import {
  type CommandDeps,
  createTracker,
  createTrackerIssue,
  linkTrackerIssue,
  takeTrackerWebhook,
  updateIssues,
  updateTracker,
} from '@sonde/commands'
import { issueActivity, trackerLinks } from '@sonde/queries'
import { noteIssueChanges, TRACKER_KINDS, type TrackerKind } from '@sonde/stores'
import {
  asked,
  type KeptIssue,
  type TrackerServer,
} from '../../../../tests/harness/trackers/tracker-server.ts'
import { ISSUE_RULE, METRIC_RULE, problemsOfRule } from '../../src/index.ts'
import { MADE_AN_HOUR } from '../../src/issues/make-external.ts'
import { syncLinks } from '../../src/trackers/sync-links.ts'
import { type Harness, openHarness } from '../harness.ts'
import { KINDS, NOW_MS, TOKEN, WEBHOOK_SECRET } from './kinds.ts'

type Connected = { readonly id: number; readonly kind: TrackerKind; readonly server: TrackerServer }

describe('issues of trackers', () => {
  let harness: Harness
  let deps: CommandDeps
  let project: { readonly id: number; readonly orgId: number; readonly orgSlug: string }
  const all = new Map<TrackerKind, Connected>()
  const open = <P extends 'integration:write' | 'event:write' | 'event:read'>(
    permission: P,
  ): Promise<Grant<P, 'org'>> => deps.access.openOrg(operatorViewer, project.orgSlug, permission)
  const settle = async (): Promise<void> => {
    const trackers = deps.trackers ?? assert.fail()
    while (
      (await syncLinks(
        { ...harness.deps, afterStep: () => undefined, trackers },
        new AbortController().signal,
      )) > 0
    );
  }
  before(async () => {
    harness = await openHarness()
    harness.at(NOW_MS)
    const { records, clock, channels } = harness.deps
    const { access } = harness
    deps = { records, clock, access, trackers: { outgoing: channels.outgoing, seal: access.seal } }
    project = await harness.project('shop')
    const grant = await open('integration:write')
    for (const kind of TRACKER_KINDS) {
      const { start, places, settings } = KINDS[kind]
      const server = await start(TOKEN, places)
      const { id } = await createTracker(deps, grant, {
        kind,
        name: kind,
        settings: { ...settings(server.url), places },
        secret: { token: TOKEN, webhookSecret: WEBHOOK_SECRET },
      })
      all.set(kind, { id, kind, server })
    }
  })
  after(async () => {
    for (const { server } of all.values()) server.close()
    await harness.close()
  })
  beforeEach(() => settle())

  const connected = (kind: TrackerKind): Connected => all.get(kind) ?? assert.fail()
  const linked = async ({ id: trackerId, server }: Connected, issueId?: number) => {
    const issue = issueId === undefined ? await harness.issue(project.id) : { id: issueId }
    const link = await createTrackerIssue(deps, await open('event:write'), { issueId: issue.id, trackerId })
    const external = server.issues.at(-1) ?? assert.fail()
    return { issueId: issue.id, linkId: link.id, external }
  }
  const setStatus = async (issueId: number, status: 'resolved' | 'unresolved' | 'ignored') =>
    updateIssues(deps, await open('event:write'), { ids: [issueId], status })
  const statusOf = async (issueId: number) =>
    (
      await deps.records
        .selectFrom('issue')
        .select('status')
        .where('id', '=', issueId)
        .executeTakeFirstOrThrow()
    ).status
  const linkOf = async (issueId: number) =>
    (await trackerLinks(deps, await open('event:read'), issueId))[0] ?? assert.fail()
  /** As somebody does it at the tracker, which then tells of it. */
  const change = async ({ id, kind, server }: Connected, external: KeptIssue, isOpen: boolean) => {
    external.isOpen = isOpen
    external.detail = {
      github: '',
      gitlab: '',
      jira: isOpen ? 'To Do' : 'Done',
      linear: isOpen ? 'state-todo' : 'state-done',
    }[kind]
    external.changedMs = Math.max(...server.issues.map(({ changedMs }) => changedMs)) + 60_000
    const sent = KINDS[kind].webhook(external, WEBHOOK_SECRET)
    assert.equal(await take(id, sent), true)
    return sent
  }
  const take = (id: number, { headers, body }: { headers: Record<string, string>; body: string }) =>
    takeTrackerWebhook(deps, id, { headers, body: Buffer.from(body) })

  for (const kind of TRACKER_KINDS) {
    it(`${kind}: who resolves and reopens here closes and opens there`, async () => {
      const { issueId, external } = await linked(connected(kind))
      await setStatus(issueId, 'resolved')
      assert.equal((await linkOf(issueId)).wanted, 'closed')
      await settle()
      assert.equal(external.isOpen, false)
      const { state, wanted, answer } = await linkOf(issueId)
      assert.deepEqual([state, wanted, answer], ['closed', '', ''])
      await setStatus(issueId, 'unresolved')
      await settle()
      assert.equal(external.isOpen, true)
      assert.deepEqual(external.comments, [])
      await setStatus(issueId, 'ignored')
      await settle()
      assert.equal(external.isOpen, true)
    })

    it(`${kind}: what an event brings back is opened there, with a word why`, async () => {
      const { issueId, external } = await linked(connected(kind))
      await setStatus(issueId, 'resolved')
      await settle()
      await noteIssueChanges(
        deps.records,
        [{ projectId: project.id, issueId, kind: 'regressed', eventId: 'a'.repeat(32) }],
        NOW_MS,
      )
      await settle()
      assert.equal(external.isOpen, true)
      assert.equal(external.comments.length, 1)
      assert.match(
        JSON.stringify(external.comments),
        /has regressed: it was seen again in release shop@1\.0\.0/,
      )
    })

    it(`${kind}: who closes and opens there resolves and reopens here, and nothing goes back`, async () => {
      const tracker = connected(kind)
      const { issueId, external } = await linked(tracker)
      const before = tracker.server.requests.length
      const closed = await change(tracker, external, false)
      assert.equal(await statusOf(issueId), 'resolved')
      await settle()
      // Once more, and once more after it was reopened here: a repeat is no news.
      await take(tracker.id, closed)
      const reopened = await change(tracker, external, true)
      assert.equal(await statusOf(issueId), 'unresolved')
      await take(tracker.id, closed)
      assert.equal(await statusOf(issueId), 'unresolved')
      await take(tracker.id, reopened)
      await settle()
      assert.equal(tracker.server.requests.length, before)
      const { activity } = await issueActivity(deps, await open('event:read'), { id: issueId })
      const name = { github: 'GitHub', gitlab: 'GitLab', jira: 'Jira', linear: 'Linear' }[kind]
      assert.deepEqual(
        activity.map((each) => `${each.by} ${each.kind}`),
        [`${name} reopened`, `${name} resolved`, 'the operator linked'],
      )
    })

    it(`${kind}: its echo of what was done here changes nothing`, async () => {
      const tracker = connected(kind)
      const { issueId, external } = await linked(tracker)
      await setStatus(issueId, 'resolved')
      await settle()
      const echo = KINDS[kind].webhook(external, WEBHOOK_SECRET)
      await setStatus(issueId, 'unresolved')
      // It comes before the tracker is told of the change of mind, and again afterwards.
      await take(tracker.id, echo)
      assert.equal(await statusOf(issueId), 'unresolved')
      await settle()
      assert.equal(external.isOpen, true)
      await take(tracker.id, echo)
      assert.equal(await statusOf(issueId), 'unresolved')
      assert.equal((await linkOf(issueId)).state, 'open')
    })
  }

  it('a webhook without the right signature is refused like one of a connection that does not exist', async () => {
    const tracker = connected('github')
    const { issueId, external } = await linked(tracker)
    external.isOpen = false
    external.changedMs += 60_000
    const { headers, body } = KINDS.github.webhook(external, 'another secret')
    assert.equal(await take(tracker.id, { headers, body }), false)
    assert.equal(await take(999_999, KINDS.github.webhook(external, WEBHOOK_SECRET)), false)
    assert.equal(await take(connected('jira').id, KINDS.github.webhook(external, WEBHOOK_SECRET)), false)
    assert.equal(await statusOf(issueId), 'unresolved')
    // Signed and no JSON, or nothing about an issue: taken, and nothing follows.
    const { createHmac } = await import('node:crypto')
    for (const text of ['{', '[]', '{"zen":"Design for failure.","hook":{}}']) {
      const signature = `sha256=${createHmac('sha256', WEBHOOK_SECRET).update(text).digest('hex')}`
      assert.equal(
        await take(tracker.id, { headers: { 'x-hub-signature-256': signature }, body: text }),
        true,
      )
    }
  })

  it('the title follows, and what is deleted there is told nothing any more', async () => {
    const tracker = connected('jira')
    const { issueId, external } = await linked(tracker)
    external.title = 'Renamed'
    await change(tracker, external, true)
    assert.equal((await linkOf(issueId)).title, 'Renamed')
    external.changedMs += 60_000
    await take(tracker.id, KINDS.jira.deleted?.(external, WEBHOOK_SECRET) ?? assert.fail())
    assert.equal((await linkOf(issueId)).state, 'deleted')
    assert.equal(await statusOf(issueId), 'unresolved')
    await setStatus(issueId, 'resolved')
    assert.equal((await linkOf(issueId)).wanted, '')
  })

  it('an issue with links at two trackers leads from one to the other', async () => {
    const [github, jira] = [connected('github'), connected('jira')]
    const { issueId, external } = await linked(github)
    const other = await linked(jira, issueId)
    const before = github.server.requests.length
    await change(github, external, false)
    await settle()
    assert.equal(other.external.isOpen, false)
    // Jira tells that it was closed, which is known.
    await take(jira.id, KINDS.jira.webhook(other.external, WEBHOOK_SECRET))
    await settle()
    assert.equal(github.server.requests.length, before)
  })

  it('what stands for two issues is closed with the last of them, and resolves both', async () => {
    const tracker = connected('gitlab')
    const { issueId, external } = await linked(tracker)
    const second = await harness.issue(project.id)
    await linkTrackerIssue(deps, await open('event:write'), {
      issueId: second.id,
      trackerId: tracker.id,
      key: `${external.place}#${external.number}`,
    })
    assert.match(JSON.stringify(external.comments), /Linked to \[SHOP-/)
    await setStatus(issueId, 'resolved')
    await settle()
    assert.equal(external.isOpen, true)
    await setStatus(second.id, 'resolved')
    await settle()
    assert.equal(external.isOpen, false)
    await change(tracker, external, true)
    assert.deepEqual([await statusOf(issueId), await statusOf(second.id)], ['unresolved', 'unresolved'])
  })

  it('goes one way or none where the connection says so', async () => {
    const tracker = connected('linear')
    const { issueId, external } = await linked(tracker)
    const set = async (isSyncedIn: boolean, isSyncedOut: boolean) =>
      updateTracker(deps, await open('integration:write'), { trackerId: tracker.id, isSyncedIn, isSyncedOut })
    await set(false, false)
    await setStatus(issueId, 'resolved')
    await settle()
    assert.equal(external.isOpen, true)
    await setStatus(issueId, 'unresolved')
    await change(tracker, external, false)
    assert.equal(await statusOf(issueId), 'unresolved')
    assert.equal((await linkOf(issueId)).state, 'closed')
    await set(true, true)
    await change(tracker, external, true)
    await change(tracker, external, false)
    assert.equal(await statusOf(issueId), 'resolved')
  })

  it('tries again what may work later, tells why, and gives up in the end', async () => {
    const tracker = connected('github')
    const { issueId, external } = await linked(tracker)
    const second = await linked(tracker)
    tracker.server.refuse({ status: 429, headers: { 'retry-after': '60' }, body: { message: 'Slow down' } })
    await setStatus(issueId, 'resolved')
    await setStatus(second.issueId, 'resolved')
    const before = tracker.server.requests.length
    await settle()
    // The second one is not tried: it is the same tracker.
    assert.equal(tracker.server.requests.length, before + 1)
    assert.match((await linkOf(issueId)).answer, /429: Slow down/)
    const failing = () =>
      deps.records
        .selectFrom('tracker_connection')
        .select('failing_since_ms')
        .where('id', '=', tracker.id)
        .executeTakeFirstOrThrow()
    assert.notEqual((await failing()).failing_since_ms, null)
    harness.clock.advance(59_000)
    await settle()
    assert.equal(external.isOpen, true)
    harness.clock.advance(1_000)
    await settle()
    assert.deepEqual([external.isOpen, second.external.isOpen], [false, false])
    assert.deepEqual([(await linkOf(issueId)).answer, (await failing()).failing_since_ms], ['', null])

    tracker.server.refuse({ status: 403, body: { message: 'Resource not accessible' } })
    await setStatus(issueId, 'unresolved')
    await settle()
    const { wanted, answer, state } = await linkOf(issueId)
    assert.deepEqual([wanted, state], ['', 'closed'])
    assert.match(answer, /403: Resource not accessible/)
    // The next change begins anew.
    await setStatus(issueId, 'resolved')
    await setStatus(issueId, 'unresolved')
    await settle()
    assert.deepEqual([(await linkOf(issueId)).answer, external.isOpen], ['', true])
  })

  it('after each of its tries it waits longer, for hours at most', async () => {
    const tracker = connected('gitlab')
    const { issueId } = await linked(tracker)
    await setStatus(issueId, 'resolved')
    const waits: number[] = []
    for (;;) {
      tracker.server.refuse({ status: 502, body: 'Bad gateway' })
      await settle()
      const row = await deps.records
        .selectFrom('tracker_link')
        .select(['wanted', 'next_attempt_ms'])
        .where('issue_id', '=', issueId)
        .executeTakeFirstOrThrow()
      if (row.wanted === '') break
      const waitMs = row.next_attempt_ms - harness.clock.nowMs()
      waits.push(waitMs / 1_000)
      harness.clock.advance(waitMs)
    }
    assert.deepEqual(waits, [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400])
  })

  it('a change of mind while the tracker is asked is told afterwards', async () => {
    const tracker = connected('github')
    const { issueId, external } = await linked(tracker)
    await setStatus(issueId, 'resolved')
    let isChanged = false
    const trackers = deps.trackers ?? assert.fail()
    const afterStep = async (step: string): Promise<void> => {
      if (step !== 'told' || isChanged) return
      isChanged = true
      await setStatus(issueId, 'unresolved')
    }
    await syncLinks({ ...harness.deps, trackers, afterStep }, new AbortController().signal)
    assert.equal(external.isOpen, false)
    assert.equal((await linkOf(issueId)).wanted, 'open')
    await settle()
    assert.equal(external.isOpen, true)
  })

  it('makes an issue from a request, and closes it where ours was resolved meanwhile', async () => {
    const tracker = connected('linear')
    const issue = await harness.issue(project.id)
    const request = async (issueId: number) =>
      deps.records
        .insertInto('tracker_link')
        .values({
          connection_id: tracker.id,
          issue_id: issueId,
          external_id: '',
          external_key: '',
          url: '',
          title: '',
          state: 'open',
          changed_ms: 0,
          synced_ms: 0,
          created_by: 'rule:1',
          created_ms: 0,
          wanted: 'create',
          next_attempt_ms: 0,
        })
        .execute()
    await request(issue.id)
    await setStatus(issue.id, 'resolved')
    await settle()
    const external = tracker.server.issues.at(-1)
    assert.match(
      String(external?.text),
      /\[SHOP-\d+\]\(https:\/\/sonde\.test\/org-\d+\/shop\/issues\/SHOP-\d+\) in Sonde/,
    )
    assert.match(String(external?.text), /- Code: pay \(src\/cart\.ts\)/)
    assert.equal(external?.isOpen, false)
    assert.deepEqual([(await linkOf(issue.id)).state, (await linkOf(issue.id)).wanted], ['closed', ''])
  })

  it('a rule makes an issue where there is none yet, and a storm of them no storm there', async () => {
    const tracker = connected('github')
    // What the tests before did is no news to it.
    await harness.settle()
    const rule = await harness.rule(project.id, {
      triggers: [{ type: 'new' }, { type: 'reopened' }],
      actions: [
        { type: 'tracker', trackerId: tracker.id },
        { type: 'tracker', trackerId: 999_999 },
      ],
      coolDownMinutes: 0,
    })
    const before = tracker.server.issues.length
    const issue = await harness.issue(project.id, { title: 'TypeError: by a rule' })
    await harness.change(project.id, issue.id, 'new', issue.eventId)
    await harness.settle()
    const link = await linkOf(issue.id)
    assert.deepEqual([link.wanted, link.key, link.url], ['create', '', ''])
    await settle()
    assert.equal(tracker.server.issues.at(-1)?.title, 'TypeError: by a rule')
    assert.equal((await linkOf(issue.id)).key, `acme/shop#${before + 1}`)
    await harness.change(project.id, issue.id, 'reopened')
    await harness.settle()
    await settle()
    assert.equal(tracker.server.issues.length, before + 1)
    for (let at = 0; at < MADE_AN_HOUR + 5; at++) {
      const each = await harness.issue(project.id)
      await harness.change(project.id, each.id, 'new', each.eventId)
    }
    await harness.settle()
    await settle()
    assert.equal(tracker.server.issues.length, before + MADE_AN_HOUR)
    await deps.records.deleteFrom('alert_rule').where('id', '=', rule).execute()
  })

  it('a rule names trackers of its organization alone, and only where it is about issues', async () => {
    const grant = await deps.access.openProject(operatorViewer, project.orgSlug, 'shop', 'event:read')
    const actions = [{ type: 'tracker' as const, trackerId: connected('github').id }]
    const issueRule = (trackerId: number) =>
      problemsOfRule(deps, grant, {
        kind: 'issue',
        rule: ISSUE_RULE.parse({ triggers: [{ type: 'new' }], actions: [{ type: 'tracker', trackerId }] }),
      })
    assert.deepEqual(await issueRule(connected('github').id), {})
    assert.deepEqual(await issueRule(999_999), { actions: ['there is no issue tracker 999999'] })
    const metric = { source: 'errors' as const, measure: 'count()', search: '' }
    const rule = METRIC_RULE.parse({ metric, windowMinutes: 5, trigger: 1, actions })
    assert.deepEqual(await problemsOfRule(deps, grant, { kind: 'metric', rule }), {
      actions: ['only a rule about issues makes them at a tracker'],
    })
  })

  it('a secret of another key of the installation says so, and its webhooks are refused', async () => {
    const tracker = connected('github')
    const { issueId, external } = await linked(tracker)
    const secretOf = deps.records
      .selectFrom('tracker_connection')
      .select('secret')
      .where('id', '=', tracker.id)
    const { secret } = await secretOf.executeTakeFirstOrThrow()
    const set = (text: string) =>
      deps.records
        .updateTable('tracker_connection')
        .set({ secret: text })
        .where('id', '=', tracker.id)
        .execute()
    await set('')
    const asks = asked(tracker.server).length
    await setStatus(issueId, 'resolved')
    await settle()
    assert.match((await linkOf(issueId)).answer, /another key of the installation/)
    assert.equal(asked(tracker.server).length, asks)
    assert.equal(await take(tracker.id, KINDS.github.webhook(external, WEBHOOK_SECRET)), false)
    await set(secret)
  })

  it('everything goes with its organization', async () => {
    await deps.records.deleteFrom('organization').where('id', '=', project.orgId).execute()
    for (const table of ['tracker_connection', 'tracker_link'] as const)
      assert.equal((await deps.records.selectFrom(table).select('id').execute()).length, 0)
  })
})
