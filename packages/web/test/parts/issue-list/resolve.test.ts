/** A click on "Resolve": what it reads, and that taking it back restores each issue as it was, from every screen alike. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createAccess, operatorViewer, type UserViewer } from '@sonde/access'
import { silentLogger, systemClock } from '@sonde/base'
import { ensureProject } from '@sonde/commands'
import type { KyselyPlugin } from 'kysely'
import { openEngines } from '../../../../../tests/harness/engines.ts'
import { action as resolveOnPage } from '../../../src/routes/[org]/[project]/issues/[issue]/page.server.ts'
import {
  action as resolveInList,
  load as loadList,
} from '../../../src/routes/[org]/[project]/issues/page.server.ts'

const SUBSTATUSES = ['new', 'ongoing', 'regressed']

describe('resolving issues on the screens', () => {
  let engines: Awaited<ReturnType<typeof openEngines>>
  let ids: readonly number[]
  let viewer: UserViewer
  /** Tables that the permission check read, in order. */
  const reads: string[] = []
  const counter: KyselyPlugin = {
    transformQuery({ node }) {
      const sql = engines.records.getExecutor().compileQuery(node, { queryId: 'q' }).sql
      reads.push(/from "(\w+)"/.exec(sql)?.[1] ?? sql)
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  let access: ReturnType<typeof createAccess>
  before(async () => {
    engines = await openEngines()
    const secret = 'a secret of at least thirty-two characters'
    const options = { secret, publicUrl: 'http://sonde.test', clock: systemClock, logger: silentLogger }
    access = createAccess({ ...options, records: engines.records.withPlugin(counter) })
    const deps = { records: engines.records, access, clock: systemClock }
    const { id, orgId } = await ensureProject(deps, operatorViewer, { org: 'acme', slug: 'shop' })
    viewer = {
      kind: 'user',
      userId: 'u',
      email: 'u@acme.test',
      name: 'U',
      isOperator: false,
      memberships: [{ orgId, orgSlug: 'acme', orgName: 'acme', role: 'member' }],
    }
    await engines.records
      .insertInto('user')
      .values({
        id: 'u',
        name: 'U',
        email: 'u@acme.test',
        emailVerified: 1,
        createdAt: '',
        updatedAt: '',
      } as never)
      .execute()
    const rows = await engines.records
      .insertInto('issue')
      .values(SUBSTATUSES.map((substatus, index) => issueRow(id, index + 1, substatus)))
      .returning('id')
      .execute()
    ids = rows.map((row) => row.id)
  })
  after(() => engines.close())

  /** What one request has: the context is the same for its action and its loads. */
  const request = (fields: Readonly<Record<string, string>>, issue?: number) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    const { records, telemetry } = engines
    const queries = { records, telemetry, clock: systemClock, publicUrl: 'http://sonde.test' }
    return {
      url: new URL(`http://sonde.test/acme/shop/issues${issue === undefined ? '' : `/${issue}`}`),
      params: { org: 'acme', project: 'shop', issue: String(issue ?? '') },
      formData: () => Promise.resolve(form),
      context: {
        viewer,
        grants: access.grantsFor(viewer),
        access,
        queries,
        commands: { records, access, clock: systemClock },
        clock: systemClock,
      },
    } as never
  }
  const states = async (): Promise<string[]> => {
    const rows = await engines.records
      .selectFrom('issue')
      .select(['status', 'substatus'])
      .orderBy('id')
      .execute()
    return rows.map(({ status, substatus }) => `${status} ${substatus}`.trim())
  }
  const AS_BEFORE = SUBSTATUSES.map((substatus) => `unresolved ${substatus}`)

  it('reads the organization and the project once, for the change and for the list that follows', async () => {
    const args = request({ status: 'resolved', id: ids.join(',') })
    reads.length = 0
    const outcome = await resolveInList(args)
    const list = await loadList(args)
    assert.deepEqual(reads, ['organization', 'team_member', 'project'])
    assert.deepEqual([outcome && 'kind' in outcome && outcome.kind, list.mayChange], ['changed', true])
    assert.deepEqual(await states(), ['resolved', 'resolved', 'resolved'])
    await resolveInList(request({ undo: undoOf(outcome) }))
    assert.deepEqual(await states(), AS_BEFORE)
  })

  it('is taken back on the issue page to new, ongoing or regressed, as it was', async () => {
    for (const id of ids) {
      const outcome = await resolveOnPage(request({ status: 'resolved' }, id))
      assert.ok((await states()).includes('resolved'))
      await resolveOnPage(request({ undo: undoOf(outcome) }, id))
      assert.deepEqual(await states(), AS_BEFORE)
    }
  })
})

function undoOf(outcome: object): string {
  assert.ok('undo' in outcome && typeof outcome.undo === 'string', JSON.stringify(outcome))
  return outcome.undo
}

const issueRow = (projectId: number, shortNumber: number, substatus: string) => ({
  project_id: projectId,
  short_number: shortNumber,
  type: 'error',
  level: 'error' as const,
  title: `Error: failure ${shortNumber}`,
  culprit: 'checkout',
  platform: 'javascript',
  metadata: '{}',
  logger: '',
  status: 'unresolved' as const,
  substatus,
  is_unhandled: 0 as const,
  first_seen_ms: Date.now() - 60_000,
  last_seen_ms: Date.now() - 1_000,
  event_count: 1,
  first_release: '',
  last_release: '',
  last_event_id: '0'.repeat(32),
  created_ms: Date.now() - 60_000,
})
