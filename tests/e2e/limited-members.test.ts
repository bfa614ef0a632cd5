/**
 * A member who sees the projects of their teams alone asks every address of another project of the same organization, with
 * a session and with a token: nothing of it is told, and nothing of it changes.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { type Address, type Answer, ask, type Asker, paramsOf } from './two-organizations/addresses.ts'
import { operations } from './two-organizations/api-addresses.ts'
import { type Organizations, openOrganizations } from './two-organizations/organizations.ts'
import { pageForms, pageReads } from './two-organizations/page-addresses.ts'

const AS_DATA = { 'x-sonde-page': '1' }
/** All that a member may have. */
const SCOPES =
  'org:read org:ci project:read project:releases event:read event:write member:read team:read alerts:read alerts:write'.split(
    ' ',
  )
const nameOf = ({ method, template, form }: Address): string =>
  `${method} ${template}${form ? ` ${new URLSearchParams(form).toString()}` : ''}`

describe('a member who is limited to another project', () => {
  let organizations: Organizations
  let session: Asker
  let token: Asker
  before(async () => {
    organizations = await openOrganizations()
    session = await organizations.signedIn('sam@example.com')
    token = await organizations.personalToken(session, 'acme', SCOPES)
    const records = open()
    // Sam's team has the other project; his inbox has something of shop from before.
    records.exec(`INSERT INTO team (org_id, slug, name, created_ms) SELECT id, 'own', 'Own', 0 FROM organization WHERE slug = 'acme';
      INSERT INTO team_member (team_id, user_id, created_ms)
        SELECT team.id, "user".id, 0 FROM team, "user" WHERE team.slug = 'own' AND email = 'sam@example.com';
      INSERT INTO team_project (team_id, project_id, role)
        SELECT team.id, project.id, 'admin' FROM team, project WHERE team.slug = 'own' AND project.slug = 'spare';
      UPDATE notification SET user_id = (SELECT id FROM "user" WHERE email = 'sam@example.com'),
        project_id = (SELECT id FROM project WHERE slug = 'shop') WHERE medium = 'inbox' AND user_id IS NOT NULL;
      -- These are the organization's.
      UPDATE notification_channel SET name = 'hooks';
      UPDATE tracker_connection SET name = 'tracker';
      UPDATE saved_search SET name = 'search ' || id, query = '';
      UPDATE organization SET members_see = 'teams' WHERE slug = 'acme'`)
    records.close()
  })
  after(() => organizations.close())

  const open = (): DatabaseSync => {
    const records = new DatabaseSync(join(organizations.sonde.dataDir, 'records.sqlite'))
    records.exec('PRAGMA busy_timeout = 10000')
    return records
  }
  /** Rows of the hidden project, as text. */
  const hidden = (): Readonly<Record<string, string>> => {
    const records = open()
    const ofShop = `WHERE project_id = (SELECT id FROM project WHERE slug = 'shop')`
    const tables = ['issue', 'project_key', 'project_setting', 'alert_rule', 'incident', 'release_project']
    const more = ['attachment', 'artifact_bundle_project', 'deploy_project', 'team_project', 'issue_change']
    const rows = Object.fromEntries(
      [...tables, ...more].map((table) => [
        table,
        JSON.stringify(records.prepare(`SELECT * FROM ${table} ${ofShop} ORDER BY 1, 2`).all()),
      ]),
    )
    records.close()
    return rows
  }
  const askerOf = (address: Address): readonly Asker[] =>
    address.kind === 'page' || address.bySession === true ? [session] : [session, token]
  const tellsNothing = ({ text, location }: Answer, address: Address): void => {
    // The last is the key of the project that the member sees.
    for (const secret of organizations.secrets.slice(0, -1))
      assert.equal(
        `${text}${location}`.includes(secret),
        false,
        `${nameOf(address)} tells of shop: ${text.slice(Math.max(0, text.indexOf(secret) - 300)).slice(0, 800)}`,
      )
  }
  const isOfProject = ({ template }: Address): boolean => paramsOf(template).includes('project')

  test('sees the project of their team, with its role', async () => {
    const { acme } = organizations
    const own = { ...acme, project: acme['spareProject'] ?? '' }
    const page: Address = { kind: 'page', method: 'GET', template: '/[org]/[project]/issues' }
    const settings: Address = { kind: 'api', method: 'PUT', template: '/projects/:org/:project' }
    assert.equal((await ask(session, page, own, AS_DATA)).status, 200)
    const renamed = { ...settings, json: () => ({ name: 'Renamed' }) }
    assert.equal((await ask(session, renamed, own)).status, 200)
    const listed = await ask(session, { kind: 'api', method: 'GET', template: '/projects' }, acme)
    assert.deepEqual(
      (JSON.parse(listed.text) as { slug: string }[]).map(({ slug }) => slug),
      ['spare'],
    )
  })

  test('is told nothing of the other by any address that is read', async () => {
    for (const address of [...pageReads(false), ...pageReads(true), ...operations(true)])
      for (const asker of askerOf(address)) {
        const headers = address.kind === 'page' ? AS_DATA : {}
        const answer = await ask(asker, address, organizations.acme, headers)
        tellsNothing(answer, address)
        if (!isOfProject(address)) continue
        const missing = { ...organizations.acme, project: 'nowhere' }
        const { status } = await ask(asker, address, missing, headers)
        assert.equal(answer.status, status, `${nameOf(address)} of shop and of what is not there`)
        assert.notEqual(answer.status, 200, nameOf(address))
      }
  })

  test('changes nothing of the other by any address that changes something', async () => {
    const before = hidden()
    for (const address of [...operations(false), ...pageForms(false)])
      for (const asker of askerOf(address)) {
        const answer = await ask(asker, address, organizations.acme, address.kind === 'page' ? AS_DATA : {})
        tellsNothing(answer, address)
        if (isOfProject(address))
          assert.ok([403, 404].includes(answer.status), `${nameOf(address)} answered ${answer.status}`)
        assert.deepEqual(hidden(), before, nameOf(address))
      }
  })
})
