/**
 * `github.com/atlassian/go-sentry-api`, a published client of Sentry's public API (Apache-2.0), unmodified: members, teams, and
 * an issue with its comments and activity. It decodes into Go's types, so that a number where it wants text fails.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { ensureGo } from '../../scripts/test/compat-tools.mjs'
import { buildGo } from '../compat/support/build-go.ts'
import { findTool } from '../compat/support/find-tool.ts'
import { runProgram } from '../compat/support/run-program.ts'
import { sondeJson } from '../harness/start-sonde.ts'
import { type Harness, openHarness } from './support/harness.ts'

/** All that a member may, and to change members and teams: a token invites nobody into a role beyond its own scopes. */
const SCOPES = [
  'org:read',
  'member:admin',
  'team:admin',
  'project:read',
  'project:releases',
  'event:admin',
  'alerts:write',
].join()

type Activity = {
  readonly type: string
  readonly dateCreated: string
  readonly data: { readonly text?: string }
  readonly user?: { readonly name?: string; readonly email?: string }
}
type Seen = {
  readonly member: { readonly email: string; readonly role: string; readonly teams: readonly string[] }
  readonly invited: { readonly email: string; readonly id: string }
  readonly team: { readonly name: string; readonly slug: string }
  readonly teams: readonly unknown[] | null
  readonly teamProjects: number
  readonly issue: {
    readonly status: string
    readonly numComments: number
    readonly assignedTo: { readonly name: string; readonly email: string }
    readonly activity: readonly Activity[]
  }
  readonly hashes: number
  readonly tags: number
  readonly events: number
}

const go = findTool(ensureGo)

test('a Go that builds the client can be had', { skip: go.skip }, () => assert.ok(go.path))

suite('github.com/atlassian/go-sentry-api', { skip: go.skip }, () => {
  let harness: Harness
  let seen: Seen

  before(async () => {
    const program = buildGo(go.path, join(import.meta.dirname, 'go-client'), 'go-client')
    harness = await openHarness()
    const { sonde, project, env } = harness
    const person = ['--email', 'bob@example.com', '--name', 'Bob', '--role', 'member']
    sondeJson(sonde.dataDir, [
      'user',
      'create',
      '--org',
      'acme',
      ...person,
      '--password',
      'a password of his',
    ])
    const sent = await fetch(`${sonde.url}/api/${project.id}/store/`, {
      method: 'POST',
      headers: { 'x-sentry-auth': `Sentry sentry_key=${project.publicKey}, sentry_version=7` },
      body: JSON.stringify({ event_id: 'b'.repeat(32), platform: 'go', message: 'the card was refused' }),
    })
    assert.equal(sent.status, 200)
    const [issue] = await harness.api.until<{ id: string }[]>(
      '/api/0/projects/acme/shop/issues/',
      (found) => found.length === 1,
    )
    const words = ['token', 'create', '--name', 'go', '--org', 'acme', '--scopes', SCOPES]
    const { token } = sondeJson<{ token: string }>(sonde.dataDir, words, { PORT: String(sonde.port) })
    const write = async (method: string, path: string, body: object): Promise<void> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const url = `${sonde.url}/api/0/organizations/acme/issues/${issue?.id}/${path}`
      const answer = await fetch(url, { method, headers, body: JSON.stringify(body) })
      assert.ok(answer.ok, `${path} answered ${answer.status}: ${await answer.text()}`)
    }
    await write('POST', 'comments/', { text: '**Bob** looks at it' })
    await write('PUT', '', { assignedTo: 'bob@example.com' })
    const run = await runProgram(program, [], project.dsn, { ...env, SENTRY_AUTH_TOKEN: token })
    assert.equal(run.code, 0, run.stderr)
    seen = JSON.parse(run.stdout) as Seen
  })
  after(() => harness?.close())

  test('a member is found by address, put into a team; somebody is invited', () => {
    assert.deepEqual(
      [seen.member.email, seen.member.role, seen.member.teams],
      ['bob@example.com', 'member', ['go-team']],
    )
    assert.equal(seen.invited.email, 'new@example.com')
  })

  test('a team is made, renamed and deleted', () => {
    assert.deepEqual([seen.team.slug, seen.team.name, seen.teamProjects], ['go-team', 'Go people', 0])
    assert.deepEqual(seen.teams, [])
  })

  test('an issue says who has it, and in its activity what was commented, assigned and resolved', () => {
    const { issue } = seen
    assert.deepEqual([issue.status, issue.numComments], ['resolved', 1])
    assert.deepEqual([issue.assignedTo.name, issue.assignedTo.email], ['Bob', 'bob@example.com'])
    assert.deepEqual(
      // An alert rule tells people when it comes to it.
      issue.activity.map(({ type }) => type).filter((type) => type !== 'notified'),
      ['set_resolved', 'set_ignored', 'assigned', 'note', 'first_seen'],
    )
    assert.equal(issue.activity.find(({ type }) => type === 'note')?.data.text, '**Bob** looks at it')
    assert.deepEqual([seen.hashes, seen.events], [1, 1])
    assert.ok(seen.tags > 0)
  })
})
