/** All nodes of a new installation start at the same moment, on servers that hold nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { useWhole } from './whole-sonde.ts'

const whole = useWhole()

void test('two nodes of each role that start at once on empty records make one owner, and one says how to sign in', async () => {
  const { cluster, logOfStart, page } = whole()
  const client = new pg.Client({ connectionString: cluster.env['SONDE_DATABASE_URL'] })
  await client.connect()
  try {
    const count = async (sql: string): Promise<number> => {
      const { rows } = await client.query<{ count: string }>(`SELECT count(*) AS count FROM ${sql}`)
      return Number(rows[0]?.count)
    }
    assert.equal(await count('"user"'), 1)
    assert.equal(await count("organization WHERE slug = 'default'"), 1)
    assert.equal(await count("project WHERE slug = 'my-app'"), 1)
    assert.equal(await count("audit_entry WHERE action = 'user.create'"), 1)
    assert.equal(await count("job_lease WHERE name = 'first start'"), 0, 'the lease was given back')
  } finally {
    await client.end()
  }
  const said = cluster.all.filter((member) => /^ {2}DSN {2}/m.test(member.firstOutput()))
  assert.equal(said.length, 1, said.map(({ name }) => name).join(', '))
  assert.doesNotMatch(logOfStart, /"level":[56]0/, 'nothing failed')
  assert.equal(await page.goto('/acme/shop/issues'), 200)
})
