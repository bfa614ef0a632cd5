/** Statements of one row that would take hours: each is refused or ended, and the console answers the next. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { runSql, SqlRefused } from '@sonde/queries'
import { openTwoOrganizations } from './two-organizations.ts'

let harness: Awaited<ReturnType<typeof openTwoOrganizations>>

const run = (text: string, grant = harness.mine, actor = 'mallory') =>
  runSql(harness.deps, grant, { text, actor })
const refusalOf = (job: Promise<unknown>): Promise<SqlRefused> =>
  job.then(
    () => assert.fail('it ran'),
    (error: unknown) => {
      assert.ok(error instanceof SqlRefused, String(error))
      return error
    },
  )

/** Of ten, which is what the message says; what ends a statement is the same. */
const SECONDS = 2
/** A million characters: looked through from each of them to the end. */
const LONG = "repeat(repeat('a', 10000), 100)"
const QUADRATIC = `length(extractAll(${LONG}, 'a.*b|a'))`

describe('a statement that would take hours', () => {
  before(async () => {
    harness = await openTwoOrganizations({ consoleSeconds: SECONDS })
  })
  after(() => harness.close())

  for (const text of [
    "SELECT editDistance(repeat('a', 60000), repeat('b', 60000))",
    "SELECT arrayMap(x -> levenshteinDistanceUTF8(repeat('a', 9000), repeat('b', 9000)), range(1000))",
    "SELECT damerauLevenshteinDistance(repeat('a', 9000), repeat('b', 9000))",
    "SELECT jaroSimilarity(repeat('a', 9000), repeat('b', 9000))",
    'SELECT arrayLevenshteinDistance(range(9000), range(9000))',
    'SELECT arraySimilarity(range(9000), range(9000), range(9000), range(9000))',
    "SELECT normalizeUTF8NFD(repeat('\u0316\u0301', 9000))",
    'SELECT arrayFold(acc, x -> arrayPushBack(acc, x), range(9000), [0])',
    "SELECT multiMatchAny(name, ['(a{1,500}){1,500}']) FROM spans",
    "SELECT printf('%2000000000d', 1)",
    'SELECT repeat(name, 10001) FROM spans',
    "SELECT repeat('a', toUInt32(duration_ms)) FROM spans",
    "SELECT repeat(repeat(repeat('a', 1000), 1000), 1000)",
    'WITH range(1000) AS r SELECT arrayMap(x -> arrayWithConstant(1001, x), r)',
    'SELECT range(1000000000)',
    'SELECT range(9999999999999999999, 9999999999999999999 + 5)',
    'SELECT arrayResize([1], 4294967296)',
    "SELECT leftPad('a', 100000000)",
    "SELECT leftPad(repeat('a', 1000), 1000 * 1000)",
    'SELECT space(1e9)',
    "SELECT ngrams(repeat('a', 10000), 5000)",
    'SELECT RANGE(20000)',
    'SELECT `range`(20000)',
    'SELECT 1 WHERE 1 IN (SELECT arrayJoin(range(20000)))',
    'SELECT * REPLACE (repeat(name, 20000) AS name) FROM spans',
  ])
    it(`is refused before anything is computed: ${text}`, async () => {
      const begun = performance.now()
      const { message } = await refusalOf(run(text))
      assert.match(message, /is not offered|needs its size|would make too much/)
      // Milliseconds; what computed it took seconds to hours.
      assert.ok(performance.now() - begun < 5_000)
    })

  for (const [what, text] of [
    ['while names are looked up', `SELECT ${QUADRATIC}`],
    ['while rows are read', `SELECT sum(length(extractAll(concat(name, ${LONG}), 'a.*b|a'))) FROM spans`],
    [
      'between rows',
      `SELECT count() FROM spans a, spans b, spans c, spans d, spans e, spans f
       WHERE cityHash64(a.name, b.name, c.name, d.name, e.name, f.name) = 1`,
    ],
  ] as const)
    it(`is ended ${what}, and the next one is answered`, async () => {
      const begun = performance.now()
      const ending = refusalOf(run(text))
      // The pipeline writes and the screens read meanwhile.
      await harness.telemetry.command('INSERT INTO spans (project_id, received) VALUES (99, now())')
      await harness.telemetry.query('SELECT count() FROM spans')
      assert.ok(performance.now() - begun < 8_000)
      const { message } = await ending
      const seconds = (performance.now() - begun) / 1000
      assert.match(message, /longer than 10 seconds|would read more/)
      // Three with a machine to itself.
      assert.ok(seconds < 20, `${seconds} s`)
      assert.deepEqual((await run('SELECT count() FROM spans')).rows, [['40']])
    })

  it('makes another organization wait for one statement and not for all of its own', async () => {
    const long = refusalOf(run(`SELECT ${QUADRATIC}`, harness.theirs, 'ann'))
    const theirs = [long, ...['ben', 'cem'].map((actor) => run('SELECT 1', harness.theirs, actor))]
    const ended: string[] = []
    for (const one of theirs) void one.then(() => ended.push('theirs'))
    const refused = await refusalOf(run('SELECT 1', harness.theirs, 'dora'))
    assert.match(refused.message, /others of your organization/)
    const mine = run('SELECT 1', harness.mine, 'ada').then(() => ended.push('mine'))
    await mine
    assert.deepEqual(ended, ['theirs', 'mine'])
    await Promise.all(theirs)
    assert.equal(ended.length, 4)
  })

  // The last: afterwards the store is closed.
  it('does not keep the store from closing', async () => {
    const running = refusalOf(run(`SELECT ${QUADRATIC}`))
    await wait(1_000)
    const begun = performance.now()
    await harness.telemetry.close()
    assert.ok(performance.now() - begun < 5_000)
    assert.match((await running).message, /ended before it answered/)
  })
})
