/** What only shows when processes die, wait for each other or come back. The engine is opened in children only. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { SAMPLE } from '../../src/telemetry/conformance.ts'
import { MIGRATIONS } from '../../src/telemetry/migrations.ts'
import { runScript } from '../run-script.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const OPEN = `
  import { openTelemetry } from '../src/telemetry/open-telemetry.ts'
  import { encodeEventRow, withIssueId } from '../src/telemetry/rows.ts'
  const SAMPLE = ${JSON.stringify(SAMPLE)}
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

const RUN = `
  const database = { name: 'console_1_a', prefix: 'console_1_', views: [] }
  const run = (sql) => telemetry.console.use(database, (statements) => statements.run(sql))
  const childOf = () => readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim()
`

test('the process of the console ends with the one that started it, in the middle of a statement', async () => {
  const dir = join(temporaryFolder(), 'telemetry')
  const { child, output } = await runScript(
    `import { readFileSync } from 'node:fs'
    ${OPEN}
    ${RUN}
    await run('SELECT 1')
    void run("SELECT length(extractAll(repeat('a', 2000000), 'a.*b|a'))").catch(() => {})
    setTimeout(() => console.log('child', childOf(), 'end'), 1000)`,
    [dir],
    'end',
  )
  const pid = Number(/child (\d+) end/.exec(output)?.[1])
  assert.ok(pid > 1 && isRunning(pid))
  child.kill('SIGKILL')
  await once(child, 'exit')
  for (let tries = 0; tries < 100 && isRunning(pid); tries++) await wait(100)
  assert.equal(isRunning(pid), false)
})

test('the process of the console writes nothing into the store', async () => {
  const dir = join(temporaryFolder(), 'telemetry')
  const { output } = await runScript(
    `import { execFileSync } from 'node:child_process'
    ${OPEN}
    ${RUN}
    for (let batch = 0; batch < 5; batch++) await telemetry.insert('events', [row(1)], 'batch-' + batch)
    await telemetry.command('SYSTEM STOP MERGES')
    const list = () => execFileSync('find', [process.argv[1] + '/store', '-printf', '%p %s %T@ %C@\\n']).toString()
    await new Promise((resolve) => setTimeout(resolve, 2000))
    const before = list()
    // The tables themselves, which no person can name: not even these can be written.
    const answers = []
    for (const sql of ['SELECT count() FROM default.events', 'OPTIMIZE TABLE default.events FINAL',
      'INSERT INTO default.events (project_id) VALUES (1)', 'TRUNCATE TABLE default.events', 'DROP TABLE default.events'])
      answers.push(await run(sql).then(({ rows }) => rows.flat().join(), ({ code }) => code))
    await new Promise((resolve) => setTimeout(resolve, 3000))
    console.log(JSON.stringify({ answers, isSame: list() === before, files: before.split('\\n').length }))
    await telemetry.close()`,
    [dir],
  )
  const { answers, isSame, files } = JSON.parse(output) as {
    answers: unknown[]
    isSame: boolean
    files: number
  }
  assert.deepEqual(answers, ['5', 164, 164, 164, 164])
  assert.ok(files > 50)
  assert.equal(isSame, true)
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // One that ended and that nobody waited for is still a process.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
