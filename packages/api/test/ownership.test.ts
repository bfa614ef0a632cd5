/** Ownership rules, CODEOWNERS files and who owns an event, in the words of Sentry's API. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { NormalizedEvent } from '@sonde/protocol/event'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const PATH = 'projects/acme/shop/ownership/'
const FILES = 'projects/acme/shop/codeowners/'
const NAMES = 'projects/acme/shop/codeowners-owners/'

const EVENT = {
  timestamp: NOW_MS / 1000,
  platform: 'javascript',
  exception: [
    {
      type: 'Error',
      value: 'x',
      stacktrace: { frames: [{ in_app: true, filename: 'src/pay/card.ts', function: 'pay', lineno: 3 }] },
    },
  ],
} as unknown as NormalizedEvent

describe('ownership', () => {
  let harness: Harness
  let projectId: number
  let orgId: number
  let teamId: number
  let cookies: Readonly<Record<'admin' | 'member' | 'stranger', string>>
  before(async () => {
    harness = await openHarness()
    projectId = (await harness.project('acme', 'shop')).id
    await harness.project('globex', 'mill')
    await harness.user('acme', 'ada@acme.test', 'admin')
    await harness.user('acme', 'grace@acme.test', 'member')
    await harness.user('globex', 'eve@globex.test', 'owner')
    const { db } = harness
    orgId = (
      await db.selectFrom('organization').select('id').where('slug', '=', 'acme').executeTakeFirstOrThrow()
    ).id
    const team = { org_id: orgId, slug: 'payments', name: 'Payments', created_ms: 0 }
    teamId = (await db.insertInto('team').values(team).returning('id').executeTakeFirstOrThrow()).id
    await db
      .insertInto('team_project')
      .values({ team_id: teamId, project_id: projectId, role: 'member' })
      .execute()
    cookies = {
      admin: await harness.signIn('ada@acme.test'),
      member: await harness.signIn('grace@acme.test'),
      stranger: await harness.signIn('eve@globex.test'),
    }
  })
  after(() => harness.close())

  const ask = async <Answer>(
    method: string,
    path: string,
    { body, status = 200, as = 'admin' }: { body?: unknown; status?: number; as?: keyof typeof cookies } = {},
  ): Promise<Answer> => {
    const response = await harness.fetch(`/api/0/${path}`, {
      method,
      headers: { cookie: cookies[as], origin: 'http://sonde.test:8600', 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.equal(response.status, status, text)
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }

  type Ownership = {
    raw: string
    fallthrough: boolean
    autoAssignment: string
    codeownersAutoSync: boolean
    lastUpdated: string | null
  }

  it('begins without rules, and keeps what an update does not name', async () => {
    const first = await ask<Ownership>('GET', PATH)
    assert.deepEqual(
      [first.raw, first.fallthrough, first.autoAssignment, first.lastUpdated],
      ['', true, 'Auto Assign to Issue Owner', null],
    )
    const raw = '# all\npath:src/pay/* #payments ada@acme.test\n'
    const saved = await ask<Ownership>('PUT', PATH, { body: { raw } })
    assert.deepEqual([saved.raw, saved.fallthrough, saved.lastUpdated !== null], [raw, true, true])
    const body = { fallthrough: false, autoAssignment: 'Auto Assign to Suspect Commits' }
    const changed = await ask<Ownership>('PUT', PATH, { body })
    assert.deepEqual(
      [changed.raw, changed.fallthrough, changed.autoAssignment],
      [raw, false, 'Auto Assign to Suspect Commits'],
    )
    assert.deepEqual(await ask<Ownership>('GET', PATH, { as: 'member' }), changed)
    // Sent back as it came.
    assert.deepEqual(await ask<Ownership>('PUT', PATH, { body: changed }), changed)
    const audited = await harness.db
      .selectFrom('audit_entry')
      .select(['action', 'detail'])
      .where('action', '=', 'project.ownership')
      .execute()
    assert.equal(audited.length, 3)
    assert.match(audited[1]?.detail ?? '', /suspect_commits/)
  })

  it('says which lines are wrong, and changes nothing then', async () => {
    const raw = 'path:a #payments\nnonsense\npath:b #nobody\npath:c eve@globex.test'
    const refused = await ask<{ rules: string[] }>('PUT', PATH, { body: { raw }, status: 400 })
    assert.deepEqual(
      refused.rules.map((text) => text.slice(0, 20)),
      ['line 2: a rule begin', 'line 3: #nobody is n', 'line 4: eve@globex.t'],
    )
    assert.match((await ask<Ownership>('GET', PATH)).raw, /^# all/)
    await ask('PUT', PATH, { body: { autoAssignment: 'often' }, status: 400 })
    await ask('PUT', PATH, { body: { codeownersAutoSync: true }, status: 400 })
    await ask('PUT', PATH, { body: { raw: 'x'.repeat(100_001) }, status: 400 })
  })

  it('is changed by who may write to the project, and is nothing to others', async () => {
    await ask('PUT', PATH, { body: { raw: '' }, as: 'member', status: 403 })
    await ask('POST', FILES, { body: { raw: '* @a' }, as: 'member', status: 403 })
    for (const path of [PATH, FILES, NAMES]) await ask('GET', path, { as: 'stranger', status: 404 })
  })

  it('takes CODEOWNERS with their mapping, says what is missing, and forgets it again', async () => {
    type File = {
      id: string
      raw: string
      errors: Record<string, string[]>
      codeMapping: { stackRoot: string }
      problems: { line: number }[]
    }
    const codeMapping = { repoName: 'acme/shop', stackRoot: 'src/', sourceRoot: 'web/src/' }
    const raw = '* @acme/all gone@acme.test\n/web/src/pay/ @Grace\n!x\n'
    const made = await ask<File>('POST', FILES, { body: { raw, codeMapping }, status: 201 })
    assert.deepEqual(made.errors['missing_external_teams'], ['@acme/all'])
    assert.deepEqual(made.errors['missing_external_users'], ['@grace'])
    assert.deepEqual(made.errors['missing_user_emails'], ['gone@acme.test'])
    assert.deepEqual(
      made.problems.map(({ line }) => line),
      [3],
    )
    await ask('POST', FILES, { body: { raw }, status: 400 })
    await ask('PUT', NAMES, { body: { name: '@grace', owner: 'grace@acme.test' } })
    await ask('PUT', NAMES, { body: { name: '@acme/all', owner: '#payments' } })
    await ask('PUT', NAMES, { body: { name: '@acme/all', owner: '#nobody' }, status: 400 })
    await ask('PUT', NAMES, { body: { name: 'grace', owner: '' }, status: 400 })
    const names = await ask<{ name: string; owner: { name: string } }[]>('GET', NAMES)
    assert.deepEqual(
      names.map(({ name, owner }) => [name, owner.name]),
      [
        ['@acme/all', 'payments'],
        ['@grace', names[1]?.owner.name ?? ''],
      ],
    )
    const path = `${FILES}${made.id}/`
    const changed = await ask<File>('PUT', path, { body: { codeMapping: { stackRoot: './src/' } } })
    assert.deepEqual([changed.raw, changed.codeMapping.stackRoot], [raw, './src/'])
    await ask('PUT', path, { body: { codeMapping: { stackRoot: 'src/' } } })
    assert.equal((await ask<File[]>('GET', FILES)).length, 1)
    await ask('PUT', `${FILES}999/`, { body: {}, status: 404 })
  })

  it('an event says who owns it and by which rule, and who committed what is on its stack', async () => {
    const { db } = harness
    const release = { org_id: orgId, version: 'shop@1', created_ms: NOW_MS }
    const { id: releaseId } = await db
      .insertInto('release')
      .values(release)
      .returning('id')
      .executeTakeFirstOrThrow()
    const commit = {
      org_id: orgId,
      repository: 'acme/shop',
      sha: 'c0ffee00',
      author_name: 'Grace',
      message: 'pay',
      at_ms: NOW_MS,
    }
    const { id: commitId } = await db
      .insertInto('source_commit')
      .values({ ...commit, author_email: 'grace@acme.test' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('source_commit_file')
      .values({ commit_id: commitId, path: 'web/src/pay/card.ts', change: 'M' })
      .execute()
    await db
      .insertInto('release_commit')
      .values({ release_id: releaseId, position: 0, commit_id: commitId })
      .execute()
    const { issueId, eventIds } = await harness.issue(projectId, {}, [{ event: EVENT }])
    await db.updateTable('issue').set({ first_release: 'shop@1' }).where('id', '=', issueId).execute()
    const event = `projects/acme/shop/events/${eventIds[0]}`
    type Owners = {
      owners: { type: string; name: string }[]
      rules: { type: string; rule: string; matched: string }[]
    }
    const { rules } = await ask<Owners>('GET', `${event}/owners/`)
    assert.deepEqual(
      rules.map(({ type, rule, matched }) => [type, rule, matched]),
      [
        ['suspectCommit', 'c0ffee00', 'web/src/pay/card.ts'],
        ['ownershipRule', 'path:src/pay/* #payments ada@acme.test', 'src/pay/card.ts'],
        ['ownershipRule', 'path:src/pay/* #payments ada@acme.test', 'src/pay/card.ts'],
      ],
    )
    type Committers = { committers: { author: { email: string }; commits: { id: string }[] }[] }
    const { committers } = await ask<Committers>('GET', `${event}/committers/`)
    assert.deepEqual(
      committers.map(({ author, commits }) => [author.email, commits.map(({ id }) => id)]),
      [['grace@acme.test', ['c0ffee00']]],
    )
    await ask('GET', `projects/acme/shop/events/${'0'.repeat(32)}/owners/`, { status: 404 })
    await ask('GET', `${event}/committers/`, { status: 404, as: 'stranger' })
    await db
      .insertInto('issue_owner')
      .values({
        issue_id: issueId,
        position: 0,
        kind: 'ownership_rule',
        user_id: null,
        team_id: teamId,
        reason: 'r',
      })
      .execute()
    type Issues = { id: string; owners?: { type: string; owner: string }[] | null }[]
    const [listed] = await ask<Issues>('GET', 'organizations/acme/issues/?query=&expand=owners')
    assert.deepEqual(listed?.owners, [{ type: 'ownershipRule', owner: `team:${teamId}`, date_added: null }])
    const [plain] = await ask<Issues>('GET', 'organizations/acme/issues/?query=')
    assert.equal(plain?.owners, undefined)
    const suggested = encodeURIComponent('assigned_or_suggested:#payments')
    assert.equal((await ask<Issues>('GET', `organizations/acme/issues/?query=${suggested}`)).length, 1)
    const assigned = encodeURIComponent('assigned:#payments')
    assert.equal((await ask<Issues>('GET', `organizations/acme/issues/?query=${assigned}`)).length, 0)
  })

  it('files are deleted once', async () => {
    const [file] = await ask<{ id: string }[]>('GET', FILES)
    await ask('DELETE', `${FILES}${file?.id}/`, { status: 204 })
    await ask('DELETE', `${FILES}${file?.id}/`, { status: 404 })
  })
})
