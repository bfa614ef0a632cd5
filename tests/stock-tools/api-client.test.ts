/**
 * Sentry's own published client of its public API (`@sentry/api`), unmodified: teams, members, invitations, ownership, and what
 * is done with issues. It is made from Sentry's description of the API, so paths and names are Sentry's.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { ensureStockTools } from '../../scripts/test/stock-tools.mjs'
import { sondeJson } from '../harness/start-sonde.ts'
import { type Harness, openHarness } from './support/harness.ts'

const SCOPES = [
  'org:read',
  'member:read',
  'member:admin',
  'team:admin',
  'project:read',
  'project:write',
  'event:admin',
  'alerts:write',
  'project:releases',
]

type Asked = {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}
type Answer = { readonly data?: unknown; readonly error?: unknown; readonly response: Response }
type Client = Readonly<Record<string, (options: object) => Promise<Answer>>>

type Team = {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly memberCount?: number
}
type Member = {
  readonly id: string
  readonly email: string
  readonly orgRole: string
  readonly pending: boolean
  readonly teams?: readonly string[]
}
type Issue = {
  readonly id: string
  readonly title: string
  readonly status: string
  readonly priority: string
  readonly assignedTo: { readonly type: string; readonly id: string; readonly name: string } | null
}

describe('@sentry/api', () => {
  let harness: Harness
  let client: Client
  let token: string
  const org = { organization_id_or_slug: 'acme' }
  const project = { ...org, project_id_or_slug: 'shop' }
  const team = { ...org, team_id_or_slug: 'web' }

  /** What it answered, with a status of 2xx. */
  const ask = async <T>(operation: string, options: Asked = {}): Promise<T> => {
    const run = client[operation]
    assert.ok(run, `the client has no ${operation}`)
    const answer = await run({
      ...options,
      baseUrl: harness.sonde.url,
      headers: { authorization: `Bearer ${token}` },
    })
    assert.ok(answer.response.ok, `${operation}: ${answer.response.status} ${JSON.stringify(answer.error)}`)
    return answer.data as T
  }
  const memberNamed = async (email: string): Promise<Member> => {
    const members = await ask<Member[]>('listAnOrganization_sMembers', { path: org })
    const found = members.find((member) => member.email === email)
    assert.ok(found, `${email} is a member`)
    return found
  }

  before(async () => {
    harness = await openHarness()
    const { dataDir } = harness.sonde
    for (const [name, role] of [
      ['ada', 'admin'],
      ['bob', 'member'],
    ] as const) {
      const who = ['--email', `${name}@example.com`, '--name', name, '--role', role]
      sondeJson(dataDir, ['user', 'create', '--org', 'acme', ...who, '--password', 'a password of theirs'])
    }
    const words = ['token', 'create', '--name', 'client', '--org', 'acme', '--scopes', SCOPES.join()]
    token = sondeJson<{ token: string }>(dataDir, words, { PORT: String(harness.sonde.port) }).token
    const file = join(ensureStockTools(), 'node_modules', '@sentry', 'api', 'dist', 'index.js')
    client = (await import(pathToFileURL(file).href)) as Client
  })
  after(() => harness?.close())

  test('teams are made, renamed, given members and projects, and listed', async () => {
    const made = await ask<Team>('createANewTeam', { path: org, body: { slug: 'web', name: 'Web' } })
    assert.deepEqual([made.slug, made.name], ['web', 'Web'])
    const bob = await memberNamed('bob@example.com')
    await ask('addAnOrganizationMemberToATeam', { path: { ...team, member_id: bob.id } })
    const members = await ask<Member[]>('listATeam_sMembers', { path: team })
    assert.deepEqual(
      members.map(({ email }) => email),
      ['bob@example.com'],
    )
    await ask('addATeamToAProject', { path: { ...project, team_id_or_slug: 'web' } })
    const of = await ask<Team[]>('listAProject_sTeams', { path: project })
    assert.deepEqual(
      of.map(({ slug }) => slug),
      ['web'],
    )
    const projects = await ask<{ slug: string }[]>('listATeam_sProjects', { path: team })
    assert.deepEqual(
      projects.map(({ slug }) => slug),
      ['shop'],
    )
    const renamed = await ask<Team>('updateATeam', { path: team, body: { slug: 'web', name: 'Web people' } })
    assert.equal(renamed.name, 'Web people')
    const [listed] = await ask<Team[]>('listAnOrganization_sTeams', { path: org })
    assert.deepEqual([listed?.slug, listed?.memberCount], ['web', 1])
    assert.equal((await ask<Team>('retrieveATeam', { path: team })).id, made.id)
  })

  test('members are listed, given roles and taken out of teams', async () => {
    const bob = await memberNamed('bob@example.com')
    const one = await ask<Member>('retrieveAnOrganizationMember', { path: { ...org, member_id: bob.id } })
    assert.deepEqual([one.email, one.orgRole, one.teams], ['bob@example.com', 'member', ['web']])
    await ask('deleteAnOrganizationMemberFromATeam', { path: { ...team, member_id: bob.id } })
    assert.deepEqual(await ask('listATeam_sMembers', { path: team }), [])
    await ask('addAnOrganizationMemberToATeam', { path: { ...team, member_id: bob.id } })
    const ofProject = await ask<Member[]>('listAProject_sOrganizationMembers', { path: project })
    assert.ok(ofProject.some(({ email }) => email === 'bob@example.com'))
  })

  test('somebody is invited, and the invitation is taken back', async () => {
    const email = 'new@example.com'
    const body = { email, orgRole: 'member', teamRoles: [{ teamSlug: 'web', role: 'contributor' }] }
    const invited = await ask<Member>('addAMemberToAnOrganization', { path: org, body })
    assert.deepEqual([invited.email, invited.pending], [email, true])
    assert.equal((await memberNamed(email)).pending, true)
    await ask('deleteAnOrganizationMember', { path: { ...org, member_id: invited.id } })
    const left = await ask<Member[]>('listAnOrganization_sMembers', { path: org })
    assert.ok(!left.some((member) => member.email === email))
  })

  test('ownership rules are written and read; a new issue is assigned by them', async () => {
    const rules = 'url:*/checkout* #web\n'
    await ask('updateOwnershipConfigurationForAProject', {
      path: project,
      body: { raw: rules, autoAssignment: 'Auto Assign to Issue Owner', fallthrough: false },
    })
    const saved = await ask<{ raw: string; autoAssignment: string; fallthrough: boolean }>(
      'retrieveOwnershipConfigurationForAProject',
      { path: project },
    )
    assert.deepEqual(
      [saved.raw.trim(), saved.autoAssignment, saved.fallthrough],
      [rules.trim(), 'Auto Assign to Issue Owner', false],
    )
    const answer = await fetch(`${harness.sonde.url}/api/${harness.project.id}/store/`, {
      method: 'POST',
      headers: { 'x-sentry-auth': `Sentry sentry_key=${harness.project.publicKey}, sentry_version=7` },
      body: JSON.stringify({
        event_id: 'a'.repeat(32),
        platform: 'javascript',
        release: 'shop@1.0.0',
        exception: { values: [{ type: 'CheckoutError', value: 'the card was refused' }] },
        request: { url: 'https://shop.example/checkout/pay' },
      }),
    })
    assert.equal(answer.status, 200)
    const [issue] = await harness.api.until<Issue[]>(
      '/api/0/projects/acme/shop/issues/?query=CheckoutError',
      (found) => found.length === 1 && found[0]?.assignedTo !== null,
    )
    assert.deepEqual([issue?.assignedTo?.type, issue?.assignedTo?.name], ['team', 'web'])
  })

  test('an issue is listed, assigned, given a priority, bookmarked and resolved', async () => {
    const [issue] = await ask<Issue[]>('listAnOrganization_sIssues', {
      path: org,
      query: { query: 'assigned:#web' },
    })
    assert.ok(issue)
    const path = { ...org, issue_id: issue.id }
    const taken = await ask<Issue>('updateAnIssue', { path, body: { assignedTo: 'bob@example.com' } })
    assert.deepEqual([taken.assignedTo?.type, taken.assignedTo?.name], ['user', 'bob'])
    const ranked = await ask<Issue>('updateAnIssue', { path, body: { priority: 'low' } })
    assert.equal(ranked.priority, 'low')
    await ask('bulkMutateAnOrganization_sIssues', {
      path: org,
      query: { id: [issue.id] },
      body: { status: 'resolved', statusDetails: { inNextRelease: true } },
    })
    const read = await ask<Issue>('retrieveAnIssue', { path })
    assert.equal(read.status, 'resolved')
    const hashes = await ask<unknown[]>('listAnIssue_sHashes', { path })
    assert.equal(hashes.length, 1)
  })

  test('an event and an issue are found by their ids, names are listed, and what came is counted', async () => {
    const eventId = 'a'.repeat(32)
    const found = await ask<{ groupId: string; projectSlug: string }>('resolveAnEventId', {
      path: { ...org, event_id: eventId },
    })
    const short = await ask<{ groupId: string }>('resolveAShortId', { path: { ...org, issue_id: 'SHOP-1' } })
    assert.deepEqual([found.projectSlug, found.groupId], ['shop', short.groupId])
    const environments = await ask<{ name: string }[]>('listAnOrganization_sEnvironments', { path: org })
    assert.deepEqual(
      environments.map(({ name }) => name),
      await ask<{ name: string }[]>('listAProject_sEnvironments', { path: project }).then((list) =>
        list.map(({ name }) => name),
      ),
    )
    const keys = await ask<{ public: string }[]>('listAnOrganization_sClientKeys', { path: org })
    assert.ok(keys.some((key) => key.public === harness.project.publicKey))
    await ask('updateAnInboundDataFilter', {
      path: { ...project, filter_id: 'web-crawlers' },
      body: { active: true },
    })
    const filters = await ask<{ id: string; active: boolean }[]>('listAProject_sDataFilters', {
      path: project,
    })
    assert.deepEqual(
      filters.filter(({ active }) => active).map(({ id }) => id),
      ['web-crawlers'],
    )
    const { data } = await ask<{ data: { title: string; 'count()': number }[] }>(
      'queryExploreEventsInTableFormat',
      {
        path: org,
        query: { dataset: 'errors', field: ['title', 'count()'] },
      },
    )
    assert.deepEqual(data, [{ title: 'CheckoutError: the card was refused', 'count()': 1 }])
    const counted = await ask<{ groups: { totals: object }[] }>('retrieveEventCountsForAnOrganizationV2', {
      path: org,
      query: { field: 'sum(quantity)', groupBy: ['outcome'], category: 'error', statsPeriod: '1h' },
    })
    assert.deepEqual(
      counted.groups.map(({ totals }) => totals),
      [{ 'sum(quantity)': 1 }],
    )
  })

  test('what is deleted is gone: a team, and who is taken out of the organization', async () => {
    await ask('deleteATeam', { path: team })
    assert.deepEqual(await ask('listAnOrganization_sTeams', { path: org }), [])
    const bob = await memberNamed('bob@example.com')
    await ask('deleteAnOrganizationMember', { path: { ...org, member_id: bob.id } })
    const left = await ask<Member[]>('listAnOrganization_sMembers', { path: org })
    assert.ok(!left.some(({ email }) => email === 'bob@example.com'))
  })
})
