/** The menu "Assign…" of messages in Slack: whom it offers to whom, and what a choice does. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type HookHarness, openHookHarness } from './hook-harness.ts'

describe('Assign in Slack', () => {
  let harness: HookHarness['harness']
  let slack: HookHarness['slack']
  let project: HookHarness['project']
  let orgId: HookHarness['orgId']
  let orgOf: HookHarness['orgOf']
  let slackChannel: HookHarness['slackChannel']
  let post: HookHarness['post']
  let nowSec: HookHarness['nowSec']
  let signed: HookHarness['signed']
  let press: HookHarness['press']
  let said: HookHarness['said']
  let hooks: HookHarness
  before(async () => {
    hooks = await openHookHarness()
    ;({ harness, slack, project, orgId, orgOf, slackChannel, post, nowSec, signed, press, said } = hooks)
  })
  after(() => hooks.close())
  beforeEach(() => {
    hooks.slack.answers.length = 0
    hooks.slack.refuse(undefined)
  })

  const choose = (user: string, issueId: number, chosen: unknown, more: object = {}): string =>
    press(user, `issue-assign-${issueId}`, 0, {
      actions: [
        {
          type: 'external_select',
          action_id: `issue-assign-${issueId}`,
          selected_option: { text: { type: 'plain_text', text: '?' }, value: chosen },
        },
      ],
      ...more,
    })
  const opened = (user: string, actionId: string, value?: unknown): string =>
    new URLSearchParams({
      payload: JSON.stringify({
        type: 'block_suggestion',
        user: { id: user, team_id: 'T1' },
        action_id: actionId,
        block_id: 'sonde-buttons',
        ...(value !== undefined && { value }),
      }),
    }).toString()
  const optionsOf = async (id: number, body: string): Promise<readonly [string, string][]> => {
    const answer = await post(id, signed(body), body)
    assert.equal(answer.status, 200)
    const { options } = JSON.parse(answer.body) as {
      options: { text: { type: string; text: string }; value: string }[]
    }
    return options.map(({ text, value }) => [text.text, value])
  }
  const userId = async (email: string) =>
    (await harness.db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id
  const team = async (slug: string, projectId?: number): Promise<number> => {
    const { id } = await harness.db
      .insertInto('team')
      .values({ org_id: orgId, slug, name: slug, created_ms: 0 })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (projectId !== undefined)
      await harness.db
        .insertInto('team_project')
        .values({ team_id: id, project_id: projectId, role: 'member' })
        .execute()
    return id
  }
  const assigneeOf = (issueId: number) =>
    harness.db
      .selectFrom('issue')
      .select(['assignee_user_id', 'assignee_team_id'])
      .where('id', '=', issueId)
      .executeTakeFirstOrThrow()

  it('the menu has nobody, and who sees the project; what is typed is looked for in names and addresses', async () => {
    const id = await slackChannel()
    const { issueId } = await harness.issue(project.id)
    const all = await optionsOf(id, opened('UMEMBER', `issue-assign-${issueId}`))
    assert.deepEqual(all[0], ['Nobody', 'nobody'])
    assert.deepEqual(all[1], ['member', `user:${await userId('member@acme.test')}`])
    assert.ok(all.every(([, value]) => value === 'nobody' || /^(?:user|team):/.test(value)))
    assert.equal(new Set(all.map(([, value]) => value)).size, all.length)
    const rival = `user:${await userId('eve@rival.test')}`
    assert.ok(!all.some(([, value]) => value === rival))
    const typed = await optionsOf(id, opened('UMEMBER', `issue-assign-${issueId}`, ' OWNER@acme '))
    assert.deepEqual(
      typed.map(([, value]) => value),
      [`user:${await userId('owner@acme.test')}`],
    )
    assert.deepEqual(await optionsOf(id, opened('UMEMBER', `issue-assign-${issueId}`, 'no such')), [])
  })

  it('at most 100 options, of at most 75 characters', async () => {
    const id = await slackChannel()
    const other = await harness.project('acme', 'crowded')
    const { issueId } = await harness.issue(other.id)
    for (let at = 0; at < 110; at++) await team(`${'long-name-of-a-team-'.repeat(4)}${at}`, other.id)
    const options = await optionsOf(id, opened('UMEMBER', `issue-assign-${issueId}`, 'long-name'))
    assert.equal(options.length, 100)
    assert.ok(options.every(([text]) => text.length === 75))
  })

  it('a choice assigns as the member, is audited, and the message says it once; the buttons stay', async () => {
    const id = await slackChannel()
    const { issueId } = await harness.issue(project.id)
    const [member, owner] = [await userId('member@acme.test'), await userId('owner@acme.test')]
    const first = choose('UMEMBER', issueId, `user:${owner}`)
    assert.deepEqual(await post(id, signed(first), first), { status: 200, body: '' })
    assert.deepEqual(await assigneeOf(issueId), { assignee_user_id: owner, assignee_team_id: null })
    const change = await harness.db
      .selectFrom('issue_change')
      .select(['kind', 'actor'])
      .where('issue_id', '=', issueId)
      .executeTakeFirstOrThrow()
    assert.deepEqual(change, { kind: 'assigned', actor: `user:${member}` })
    const audit = await harness.db
      .selectFrom('audit_entry')
      .select(['action', 'actor', 'detail'])
      .where('action', '=', 'issue.assign')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.equal(audit.actor, `user:${member}`)
    assert.deepEqual(JSON.parse(audit.detail), { count: 1, assignee: `user:${owner}`, ids: [issueId] })
    type Blocks = { block_id?: string; elements?: { text?: string; action_id?: string }[] }[]
    const blocks = slack.answers.at(-1)?.body['blocks'] as Blocks
    assert.equal(slack.answers.at(-1)?.body['replace_original'], true)
    assert.equal(blocks.length, 3)
    assert.equal(blocks[1]?.block_id, 'sonde-buttons')
    assert.equal(blocks[2]?.elements?.[0]?.text, 'Assigned to owner by member')

    const message = { text: 'New issue', blocks }
    const second = choose('UMEMBER', issueId, 'nobody', { message })
    await post(id, signed(second), second)
    assert.deepEqual(await assigneeOf(issueId), { assignee_user_id: null, assignee_team_id: null })
    const after = slack.answers.at(-1)?.body['blocks'] as Blocks
    assert.equal(after.length, 3, 'the words of before are gone')
    assert.equal(after[2]?.elements?.[0]?.text, 'Unassigned by member')

    const teamId = await team('front', project.id)
    const third = choose('UMEMBER', issueId, `team:${teamId}`)
    await post(id, signed(third), third)
    assert.equal((await assigneeOf(issueId)).assignee_team_id, teamId)
    assert.match(JSON.stringify(slack.answers.at(-1)?.body['blocks']), /Assigned to #front by member/)
  })

  it('who may not is offered one entry that leads to the reason, and changes nothing by any other', async () => {
    const id = await slackChannel()
    const { issueId } = await harness.issue(project.id)
    const owner = await userId('owner@acme.test')
    for (const [user, words] of [
      ['UVIEWER', /Your role in acme is to look only/],
      ['UEVE', /Nobody in acme has the address/],
      ['UGUEST', /Only people of the workspace/],
    ] as const) {
      const options = await optionsOf(id, opened(user, `issue-assign-${issueId}`))
      assert.deepEqual(
        options.map(([, value]) => value),
        ['refused'],
      )
      for (const chosen of ['refused', `user:${owner}`]) {
        const body = choose(user, issueId, chosen)
        assert.equal((await post(id, signed(body), body)).status, 200)
        assert.match(said(), words)
        assert.match(said(), /othing was changed/)
      }
    }
    assert.equal((await assigneeOf(issueId)).assignee_user_id, null)
  })

  it('a project that the member does not see is not there, and who does not see it cannot be given its issues', async () => {
    const id = await slackChannel()
    const hidden = await harness.project('acme', 'hidden')
    const seen = await harness.project('acme', 'seen')
    const [inHidden, inSeen] = [await harness.issue(hidden.id), await harness.issue(seen.id)]
    const own = await team('own', seen.id)
    const [member, blind] = [await userId('member@acme.test'), await team('blind')]
    await harness.db
      .insertInto('team_member')
      .values({ team_id: own, user_id: member, created_ms: 0 })
      .execute()
    const membersSee = (members_see: 'all' | 'teams') =>
      harness.db.updateTable('organization').set({ members_see }).where('id', '=', orgId).execute()
    await membersSee('teams')
    try {
      const options = await optionsOf(id, opened('UMEMBER', `issue-assign-${inHidden.issueId}`))
      assert.deepEqual(
        options.map(([, value]) => value),
        ['refused'],
      )
      const elsewhere = choose('UMEMBER', inHidden.issueId, `user:${member}`)
      await post(id, signed(elsewhere), elsewhere)
      assert.match(said(), /not there any more\. Nothing was changed/)
      const toBlind = choose('UMEMBER', inSeen.issueId, `team:${blind}`)
      await post(id, signed(toBlind), toBlind)
      assert.match(said(), /choose a member or a team of the list\. Nothing was changed/)
      const toOwn = choose('UMEMBER', inSeen.issueId, `team:${own}`)
      await post(id, signed(toOwn), toOwn)
      assert.equal((await assigneeOf(inSeen.issueId)).assignee_team_id, own)
      assert.equal((await assigneeOf(inHidden.issueId)).assignee_user_id, null)
    } finally {
      await membersSee('all')
    }
  })

  it('without a signature, of another organization, or of another shape: nobody is named and nothing changes', async () => {
    const id = await slackChannel()
    const { issueId } = await harness.issue(project.id)
    const owner = await userId('owner@acme.test')
    const open = opened('UMEMBER', `issue-assign-${issueId}`)
    assert.equal((await post(id, {}, open)).status, 404)
    assert.equal((await post(id, signed(open, nowSec() - 301), open)).status, 404)
    const rival = await slackChannel(await orgOf('rival'))
    const values = (await optionsOf(rival, opened('UEVE', `issue-assign-${issueId}`))).map(
      ([, value]) => value,
    )
    assert.deepEqual(values, ['refused'])
    const send = async (body: string) => (await post(id, signed(body), body)).status
    assert.equal(await send('payload={"type":"block_suggestion"}'), 400)
    assert.equal(await send(opened('UMEMBER', `issue-assign-${issueId}`, 5)), 400)
    assert.equal(await send(opened('UMEMBER', 'issue-assign-x')), 200)
    assert.equal(await send(opened('UMEMBER', 'another-menu')), 200)
    assert.equal(await send(choose('UMEMBER', issueId, undefined)), 400)
    assert.equal(await send(choose('UMEMBER', issueId, '')), 200)
    assert.equal(await send(choose('UMEMBER', issueId, `user:${owner}`.repeat(50))), 400)
    assert.equal(await send(press('UMEMBER', `issue-assign-${issueId}`, 1)), 200)
    assert.equal((await assigneeOf(issueId)).assignee_user_id, null)
  })
})
