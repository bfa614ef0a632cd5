/** Statements as people write them, on the real engine. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { runSql, SQL_EXAMPLES, SQL_TABLES, SqlRefused } from '@sonde/queries'
import { createStatementQueue } from '../../src/sql/statement-queue.ts'
import { openTwoOrganizations, SECRET } from './two-organizations.ts'

let harness: Awaited<ReturnType<typeof openTwoOrganizations>>

const run = (text: string) => runSql(harness.deps, harness.mine, { text, actor: 'ada' })
const value = async (text: string): Promise<unknown> => (await run(text)).rows[0]?.[0]

describe('run sql', () => {
  before(async () => {
    harness = await openTwoOrganizations()
  })

  after(() => harness.close())

  describe('a statement', () => {
    it('reads the rows of all projects of the organization, and only those', async () => {
      for (const { name } of SQL_TABLES) {
        const { rows } = await run(
          `SELECT project, count() AS n FROM ${name} GROUP BY project ORDER BY project`,
        )
        assert.deepEqual(
          rows,
          [
            ['api', '20'],
            ['shop', '20'],
          ],
          name,
        )
      }
    })

    it('has every column that is promised, and no other', async () => {
      for (const { name, columns } of SQL_TABLES) {
        const answer = await run(`SELECT * FROM ${name} LIMIT 1`)
        assert.deepEqual(
          answer.columns.map((column) => column.name),
          columns.map((column) => column.name),
          name,
        )
        assert.doesNotMatch(JSON.stringify(answer.rows), new RegExp(SECRET))
      }
    })

    it('gives names, types, exact numbers, and what reading it cost', async () => {
      const answer = await run(
        "SELECT 18446744073709551615 AS big, 1 / 0 AS endless, CAST(NULL, 'Nullable(Int8)') AS nothing, [1] AS list",
      )
      assert.deepEqual(answer.columns, [
        { name: 'big', type: 'UInt64' },
        { name: 'endless', type: 'Float64' },
        { name: 'nothing', type: 'Nullable(Int8)' },
        { name: 'list', type: 'Array(UInt8)' },
      ])
      assert.deepEqual(answer.rows, [['18446744073709551615', 'inf', null, [1]]])
      const read = await run('SELECT count() FROM spans')
      assert.ok(read.rowsRead >= 40 && read.elapsedMs > 0)
    })

    it('may use what SQL has: joins, subqueries, WITH, windows, unions, lambdas, comments, odd names', async () => {
      assert.equal(
        await value('SELECT count() FROM spans AS s JOIN events AS e ON s.project_id = e.project_id'),
        '800',
      )
      assert.equal(
        await value('WITH slow AS (SELECT * FROM spans WHERE duration_ms > 110) SELECT count() FROM slow'),
        '18',
      )
      assert.equal(
        await value('SELECT count() FROM (SELECT op FROM spans UNION ALL SELECT name FROM vitals)'),
        '80',
      )
      assert.equal(
        await value(
          "SELECT sum(n) FROM (SELECT count() OVER (PARTITION BY op ORDER BY timestamp) AS n FROM spans WHERE project = 'shop')",
        ),
        '110',
      )
      assert.equal(await value('SELECT arraySum(arrayMap(x -> x * 2, [1, 2])) -- six'), '6')
      assert.equal(
        await value(
          "/* first */ select 1 as `a b` from spans where name != 'it''s {a:String} -- \"x\"' limit 1 ;",
        ),
        1,
      )
      assert.equal(
        await value(
          "SELECT count() FROM spans WHERE op IN (SELECT op FROM spans WHERE strings['word'] LIKE 'mine%') AND numbers['size'] >= 10",
        ),
        '20',
      )
      assert.equal(await value("SELECT CASE WHEN count() > 1 THEN 'many' ELSE 'few' END FROM spans"), 'many')
      assert.equal(await value("SELECT quantileIf(0.5)(duration_ms, op = 'db')::Int64 FROM spans"), '110')
      assert.equal(await value('SELECT 1e-5 * 100000 != 1'), 0)
      assert.equal(await value("SELECT (1, 'b').2"), 'b')
      assert.equal(await value('SELECT * EXCEPT (project_id) FROM outcomes ORDER BY project LIMIT 1'), 'api')
      assert.equal(await value('SELECT x.1 FROM (SELECT arrayJoin([(1, 2)]) AS x)'), 1)
      assert.equal(
        await value('SELECT name FROM spans AS b ORDER BY timestamp DESC, project DESC LIMIT 1 BY op'),
        'mine-0c11-0',
      )
      assert.equal(
        await value('SELECT uniqExact(toStartOfInterval(timestamp, INTERVAL 1 HOUR)) FROM spans'),
        '2',
      )
    })

    it('has examples that run', async () => {
      for (const { sql } of SQL_EXAMPLES) assert.ok((await run(sql)).columns.length > 0, sql)
    })

    it('runs every statement of its reference', async () => {
      const page = readFileSync(join(import.meta.dirname, '../../../../docs/reference/sql.md'), 'utf8')
      const statements = [...page.matchAll(/^```sql\n(.*?)^```/gms)].map(([, sql = '']) => sql)
      assert.equal(statements.length, SQL_EXAMPLES.length + SQL_TABLES.length)
      for (const sql of statements) assert.ok((await run(sql)).columns.length > 0, sql)
    })

    it('runs alone, also of several nodes', async () => {
      let [running, most, begun] = [0, 0, 0]
      let isTaken = false
      const takeConsoleSlot = async () => {
        if (isTaken) return undefined
        isTaken = true
        return async () => void (isTaken = false)
      }
      const { console: engine } = harness.deps.telemetry
      const use: typeof engine.use = async (database, job) => {
        most = Math.max(most, ++running)
        begun++
        return engine.use(database, job).finally(() => running--)
      }
      const node = () => {
        const telemetry = { ...harness.deps.telemetry, console: { use } }
        return (actor: string, text = 'SELECT 1') =>
          runSql({ ...harness.deps, telemetry, takeConsoleSlot }, harness.mine, { text, actor })
      }
      const [one, two] = [node(), node()]
      await Promise.all([one('ada'), two('ada'), one('ben'), two('cem')])
      assert.deepEqual([most, begun, isTaken], [1, 4, false])
      await assert.rejects(one('ada', 'SELECT nothing'), SqlRefused)
      assert.equal(isTaken, false, 'also when it is refused')
    })

    it('is given up when other nodes run theirs for too long', async () => {
      const limits = { perOrg: 3, inAll: 12, waitMs: 1, takeConsoleSlot: async () => undefined }
      const queue = createStatementQueue(limits)
      const who = { orgId: 1, actor: 'ada' }
      await assert.rejects(
        queue.run(who, () => assert.fail('it ran')),
        SqlRefused,
      )
    })

    it('is cut after a thousand rows, and says so', async () => {
      const answer = await run('SELECT a.name FROM spans a, spans b')
      assert.deepEqual([answer.rows.length, answer.isCut], [1000, true])
      assert.equal((await run('SELECT a.name FROM spans a, spans b LIMIT 1000')).isCut, false)
    })

    it('sees another project as soon as there is one, and a new name of it', async () => {
      const org = await harness.org('moving')
      const first = await harness.project(org, 'first')
      const ask = async () =>
        (
          await runSql(harness.deps, org, {
            text: 'SELECT DISTINCT project FROM spans ORDER BY project',
            actor: 'ada',
          })
        ).rows.flat()
      const put = (projectId: number): Promise<void> =>
        harness.telemetry.command(`INSERT INTO spans (project_id, received) VALUES (${projectId}, now())`)
      // The console looks for new rows once a second.
      const asked = async (expected: readonly string[]): Promise<void> => {
        for (let tries = 0; tries < 50 && (await ask()).length !== expected.length; tries++) await wait(200)
        assert.deepEqual(await ask(), expected)
      }
      await put(first.projectId)
      await asked(['first'])
      const second = await harness.project(org, 'second')
      await put(second.projectId)
      await asked(['first', 'second'])
      await harness.db
        .updateTable('project')
        .set({ slug: 'renamed' })
        .where('id', '=', first.projectId)
        .execute()
      assert.deepEqual(await ask(), ['renamed', 'second'])
      await harness.db.deleteFrom('project').where('id', '=', first.projectId).execute()
      assert.deepEqual(await ask(), ['second'])
      const prefix = `console_${org.orgId}_`
      const left = await harness.telemetry.console.use(
        { name: 'console_look', prefix: 'look', views: [] },
        ({ run }) => run(`SELECT name FROM system.databases WHERE startsWith(name, '${prefix}')`),
      )
      assert.equal(left.rows.length, 1)
    })
  })

  describe('a refusal', () => {
    const refused = async (text: string): Promise<SqlRefused> => {
      try {
        await run(text)
      } catch (error) {
        assert.ok(error instanceof SqlRefused, `${text}: ${String(error)}`)
        return error
      }
      return assert.fail(`ran: ${text}`)
    }

    it('says where the text is not understood', async () => {
      const error = await refused("SELECT 'é', count( FROM spans")
      assert.equal(error.message, 'this is not understood')
      assert.equal(error.at, 17)
      assert.equal((await refused('SELECT nope FROM spans')).at, 7)
      assert.equal((await refused('SELECT 1 FROM nowhere')).at, 14)
    })

    it('tells limits with what to do', async () => {
      const memory = await refused("SELECT groupArray(repeat('x', 10000)) FROM spans a, spans b, spans c")
      assert.match(memory.message, /more memory/)
      assert.match(memory.hint ?? '', /Narrow/)
      const result = await refused(
        "WITH repeat('x', 10000) AS x SELECT x, concat(x, '1'), concat(x, '2') FROM spans a, spans b",
      )
      assert.match(result.message, /result is too large|more memory/)
      assert.equal((await refused('x'.repeat(10_001))).message, 'a statement has at most 10,000 characters')
    })

    it('leaves nothing in the next answer', async () => {
      await refused('SELECT name, toUInt64(name) FROM spans')
      assert.equal(await value('SELECT 1'), 1)
    })

    it('meets who runs two statements at once', async () => {
      const first = run('SELECT count() FROM spans a, spans b, spans c')
      assert.match((await refused('SELECT 1')).message, /before still runs/)
      await first
      assert.equal(await value('SELECT 1'), 1)
    })

    it('is what an organization without a project gets', async () => {
      const empty = await harness.org('empty')
      await assert.rejects(runSql(harness.deps, empty, { text: 'SELECT 1', actor: 'ada' }), /no project/)
    })
  })
})
