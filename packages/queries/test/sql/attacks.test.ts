/** The console attacked, with two organizations on the real engine (docs/decisions/0010-sql-console.md). */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { runSql, SQL_TABLES, SqlRefused } from '@sonde/queries'
import { isOfferedFunction, OFFERED_FUNCTIONS } from '../../src/sql/offered-functions.ts'
import { CONFINED, REFUSED, TELLING } from './attacks.ts'
import { openTwoOrganizations, ROWS, SECRET } from './two-organizations.ts'

let harness: Awaited<ReturnType<typeof openTwoOrganizations>>

const run = (text: string) => runSql(harness.deps, harness.mine, { text, actor: 'mallory' })
const own = () => [harness.shop.projectId, harness.api.projectId]

describe('attacks', () => {
  before(async () => {
    harness = await openTwoOrganizations()
  })

  after(() => harness.close())

  describe('refused', () => {
    for (const [what, ...statements] of REFUSED)
      it(what, async () => {
        for (const text of statements) {
          const error = await run(text).then(
            ({ rows }) => assert.fail(`ran: ${text} → ${JSON.stringify(rows).slice(0, 200)}`),
            (reason: unknown) => reason,
          )
          assert.ok(error instanceof SqlRefused, `${text}: ${String(error)}`)
          assert.doesNotMatch(
            `${error.message} ${error.hint}`,
            new RegExp(`${SECRET}|root:|project_id IN|console_1`),
            text,
          )
        }
      })

    it('and nothing was written or lost', async () => {
      assert.equal(existsSync('/tmp/sonde-attack'), false)
      const [row] = await harness.telemetry.query<{ n: number }>('SELECT count() AS n FROM spans')
      assert.equal(row?.n, 4 * ROWS)
      assert.deepEqual((await run('SELECT count() FROM spans')).rows, [[String(2 * ROWS)]])
    })
  })

  describe('confined', () => {
    for (const statement of CONFINED)
      it(statement, async () => {
        const text = statement.replaceAll('{{SECRET}}', SECRET)
        try {
          assert.doesNotMatch(JSON.stringify((await run(text)).rows), new RegExp(SECRET))
        } catch (error) {
          if (!(error instanceof SqlRefused)) throw error
          assert.doesNotMatch(`${error.message} ${error.hint}`, new RegExp(SECRET))
        }
      })

    for (const { name, columns } of SQL_TABLES)
      it(`no condition is looked at for a row of others: ${name}`, async () => {
        const texts = columns.filter((column) => ['release', 'reason', 'browser'].includes(column.name))
        for (const column of texts)
          for (const form of TELLING) {
            const text = form.replaceAll('{{TABLE}}', name).replaceAll('{{COLUMN}}', column.name)
            // Own rows pass it; a foreign one would end it with its text.
            const { rows } = await run(text.replaceAll('{{SECRET}}', SECRET))
            assert.ok(rows.length > 0, text)
          }
        assert.ok(texts.length > 0)
      })

    it('counts are of own rows, whatever is said about projects', async () => {
      for (const { name } of SQL_TABLES) {
        const { rows } = await run(
          `SELECT DISTINCT project_id FROM ${name} WHERE project_id > 0 OR project_id IN (SELECT project_id FROM ${name}) ORDER BY 1`,
        )
        assert.deepEqual(rows.flat(), own(), name)
      }
    })
  })

  describe('the list of functions', () => {
    it('has only functions that this engine has', async () => {
      const rows = await harness.telemetry.query<{ name: string }>(
        'SELECT lower(name) AS name FROM system.functions',
      )
      const known = new Set(rows.map(({ name }) => name))
      // Forms of the grammar that the tree shows as functions.
      const forms = new Set(['lambda', 'exists', 'interval', 'untuple', 'grouping'])
      assert.deepEqual(
        OFFERED_FUNCTIONS.filter((name) => !known.has(name.toLowerCase()) && !forms.has(name)),
        [],
      )
    })

    it('lets none through that reads, tells or waits, in whatever case and under whatever other name', async () => {
      const rows = await harness.telemetry.query<{ name: string; target: string; kind: string }>(
        `SELECT name, if(alias_to = '', name, alias_to) AS target, categories AS kind FROM system.functions
       WHERE NOT is_aggregate`,
      )
      const kinds = [
        'AI',
        'Dictionary',
        'Embedded Dictionary',
        'Encryption',
        'Introspection',
        'Machine Learning',
        'Internal',
        'Random Number',
      ]
      const dangerous = rows.filter(
        ({ target, kind }) =>
          (kinds.includes(kind) && !['rand', 'rand64'].includes(target)) ||
          /^(?:file|get|host|fqdn|current|server|session|queryID|uptime|tcp|sleep|show|is.*admin|has(?:Column|Thread)|joinGet|formatQuery|filesystem|version|buildId|connection|zookeeper|transaction|shard|default(?:Value|Roles|Profiles)|enabled|initial|revision|logTrace|trap|chdb|throwIf|icebergHash|structureTo|generate|catboost|arrayReduce|reinterpret|accurateCast|dynamicElement|variantElement)/i.test(
            target,
          ),
      )
      assert.ok(dangerous.length > 150)
      assert.deepEqual(
        dangerous.filter(({ name }) => isOfferedFunction(name)).map(({ name }) => name),
        [],
      )
    })
  })
})
