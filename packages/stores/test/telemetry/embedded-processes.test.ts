/** What only shows when processes die, wait for each other or come back. The engine is opened in children only. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runScript } from '../run-script.ts'
import { MIGRATIONS } from '../../src/telemetry/migrations.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const OPEN = `
  import { openTelemetry } from '../src/telemetry/open-telemetry.ts'
  import { encodeEventRow, withIssueId } from '../src/telemetry/rows.ts'
  import { SAMPLE } from '../src/telemetry/conformance.ts'
  import { silentLogger } from '@sonde/base'
  const options = { logger: silentLogger, retentionDays: Number(process.argv[2] ?? 90) }
  const row = (projectId) => withIssueId(encodeEventRow({ ...SAMPLE, projectId }), 1)
  const telemetry = await openTelemetry({ dir: process.argv[1] }, options)
  const count = async () => JSON.stringify(await telemetry.query('SELECT count() AS n FROM events'))
`

test('rows whose insert was acknowledged survive kill -9, and so does their token', async () => {
  const dir = join(temporaryFolder(), 'telemetry')
  const insertAndHang = `${OPEN}
    await telemetry.insert('events', Array.from({ length: 500 }, () => row(1)), 'batch-1')
    console.log('acknowledged')
    setInterval(() => {}, 1000)`
  for (let time = 0; time < 3; time++) {
    const { child } = await runScript(insertAndHang, [dir], 'acknowledged')
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const { output } = await runScript(`${OPEN} console.log(await count()); await telemetry.close()`, [dir])
  assert.match(output, /\[\{"n":500\}\]/)
})

test('a second process is told who has the folder open and what to do', async () => {
  const dir = join(temporaryFolder(), 'telemetry')
  const { child } = await runScript(`${OPEN} console.log('open'); setInterval(() => {}, 1000)`, [dir], 'open')
  const second = `
    import { openTelemetry } from '../src/telemetry/open-telemetry.ts'
    import { silentLogger } from '@sonde/base'
    await openTelemetry({ dir: process.argv[1] }, { logger: silentLogger }).catch((error) =>
      console.log(JSON.stringify({ kind: error.kind, hint: error.hint, subject: error.subject })))`
  const { output } = await runScript(second, [dir])
  child.kill('SIGKILL')
  const error = JSON.parse(output) as { kind: string; hint: string; subject: string }
  assert.equal(error.kind, 'conflict')
  assert.equal(error.subject, dir)
  assert.match(error.hint, new RegExp(`stop process ${child.pid}`))
})

test('another retention is taken over at the next start, for every table', async () => {
  const dir = join(temporaryFolder(), 'telemetry')
  const show = `${OPEN}
    const rows = await telemetry.query("SELECT extract(create_table_query, 'toIntervalDay\\\\((\\\\d+)\\\\)') AS days FROM system.tables WHERE name IN ('events', 'event_index', 'outcomes')")
    console.log(rows.map((one) => one.days).join())
    await telemetry.close()`
  assert.match((await runScript(show, [dir, '90'])).output, /90,90,90/)
  assert.match((await runScript(show, [dir, '30'])).output, /30,30,30/)
})

test('a start that was cut after any statement is finished by the next one', async () => {
  const dir = join(temporaryFolder(), 'telemetry')
  const cut = `
    import { openEmbedded } from '../src/telemetry/embedded/open-embedded.ts'
    import { migrateTelemetry } from '../src/telemetry/migrate.ts'
    import { silentLogger, systemClock } from '@sonde/base'
    const engine = await openEmbedded(process.argv[1], 512 * 1024 * 1024)
    const needs = { clock: systemClock, logger: silentLogger, retentionDays: 90 }
    for (let left = 1; left < 24; left++) {
      let budget = left
      const command = (sql, params) => (budget-- > 0 ? engine.command(sql, params) : Promise.reject(new Error('cut')))
      await migrateTelemetry({ query: engine.query, command }, needs).catch(() => {})
    }
    await migrateTelemetry(engine, needs)
    console.log(JSON.stringify(await engine.query('SELECT name, count() AS times FROM schema_migration GROUP BY name ORDER BY name')))
    await engine.close()`
  const { output } = await runScript(cut, [dir])
  assert.deepEqual(
    JSON.parse(output),
    MIGRATIONS.map(({ name }) => ({ name, times: 1 })),
  )
})

test('a token whose part never came into place, because the process died in between, is forgotten', async () => {
  const dir = join(temporaryFolder(), 'telemetry')
  const insert = `${OPEN}
    for (const token of process.argv.slice(3)) await telemetry.insert('events', [row(1)], token)
    console.log(await count())
    await telemetry.close()`
  assert.match((await runScript(insert, [dir, '90', 'before', 'cut'])).output, /"n":2/)
  const parts = globSync('store/*/*/????????_2_2_0', { cwd: dir })
  assert.equal(parts.length, 1)
  rmSync(join(dir, parts[0] as string), { recursive: true })
  assert.match((await runScript(insert, [dir, '90', 'before', 'cut', 'cut'])).output, /"n":2/)
})
