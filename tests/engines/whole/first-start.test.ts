/** All nodes of a new installation start at the same moment, on servers that hold nothing. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { signedInPlain } from '../../e2e/plain-page.ts'
import { messageEvent, sendEvent } from '../../e2e/screens-events.ts'
import { apiClient, createProject } from '../../harness/api-client.ts'
import { type RunningCluster, startCluster } from '../../harness/cluster/start-cluster.ts'
import { whyNoClickHouse } from '../../harness/servers/clickhouse.ts'

describe(
  'two nodes of each role that start at once on empty servers',
  { skip: whyNoClickHouse() ?? false },
  () => {
    let cluster: RunningCluster
    before(async () => {
      cluster = await startCluster()
    })
    after(() => cluster?.stop())

    test('make one owner, one organization and one project, and one node says how to sign in', async () => {
      const client = new pg.Client({ connectionString: cluster.env['SONDE_DATABASE_URL'] })
      await client.connect()
      const count = async (sql: string): Promise<number> => {
        const { rows } = await client.query<{ count: string }>(`SELECT count(*) AS count FROM ${sql}`)
        return Number(rows[0]?.count)
      }
      assert.equal(await count('"user"'), 1)
      assert.equal(await count("member WHERE role = 'owner'"), 1)
      assert.equal(await count('organization'), 1)
      assert.equal(await count('project'), 1)
      assert.equal(await count("audit_entry WHERE action = 'user.create'"), 1)
      assert.equal(await count("job_lease WHERE name = 'first start'"), 0, 'the lease was given back')
      await client.end()
      const said = cluster.all.filter((member) => /^ {2}DSN {2}/m.test(member.running().output()))
      assert.equal(said.length, 1, said.map(({ name }) => name).join(', '))
      assert.equal(cluster.log().replaceAll(/^(?:\w+-\d:)?\n/gm, ''), '', 'nobody complains of anything')
    })

    test('show on the screens and in /api/0 what came in by a DSN through the load balancer', async () => {
      const project = createProject(cluster, 'acme/shop')
      assert.equal(new URL(project.dsn).host, new URL(cluster.url).host)
      const id = await sendEvent(project.dsn, messageEvent(Date.now(), 'from several machines'))
      await apiClient(cluster).until(`/api/0/projects/acme/shop/events/${id}/`, () => true)
      const page = await signedInPlain(cluster.url)
      assert.equal(await page.goto('/acme/shop/issues'), 200)
      page.shows('from several machines')
    })
  },
)
