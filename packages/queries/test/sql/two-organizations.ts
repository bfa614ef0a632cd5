/**
 * Two organizations on the real engine; what belongs to the second must never be seen by the first. Every text column of
 * every table has a word that says whose it is, also columns that come later.
 */
import { SQL_TABLES } from '@sonde/queries'
import type { EngineOptions } from '../../../../tests/harness/engines.ts'
import { NOW_MS, openHarness } from '../harness.ts'

export const SECRET = 'theirs-7f3a'
export const MINE = 'mine-0c11'
/** Of each table and project. */
export const ROWS = 20

export async function openTwoOrganizations(options?: EngineOptions) {
  const harness = await openHarness(options)
  const mine = await harness.org('acme')
  const theirs = await harness.org('globex')
  // Their projects lie before and behind ours in the key, so ranges of ours touch theirs on both sides.
  const before = await harness.project(theirs, SECRET)
  const shop = await harness.project(mine, 'shop')
  const api = await harness.project(mine, 'api')
  const behind = await harness.project(theirs, 'behind')
  for (const [words, projects] of [
    [MINE, [shop, api]],
    [SECRET, [before, behind]],
  ] as const)
    for (const { projectId } of projects)
      for (const { name } of SQL_TABLES) await fill(harness, name, projectId, words)
  // In one granule with ours: what the engine looks at together.
  for (const { name } of SQL_TABLES) await harness.telemetry.command(`OPTIMIZE TABLE ${name} FINAL`)
  return { ...harness, mine, theirs, shop, api }
}

type Harness = Awaited<ReturnType<typeof openHarness>>

/** Numbers and times of a row count up with `number`; `op` and `name` tell rows apart. */
async function fill({ telemetry }: Harness, table: string, projectId: number, word: string): Promise<void> {
  const columns = await telemetry.query<{ name: string; type: string }>(
    `SELECT name, type FROM system.columns
     WHERE database = currentDatabase() AND table = {table:String} AND default_kind = ''`,
    { table },
  )
  const values = columns.map(({ name, type }) => valueOf(name, type))
  await telemetry.command(
    `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')})
     SELECT ${values.join(', ')} FROM numbers({rows:UInt32})`,
    { word, projectId, nowSec: NOW_MS / 1000, rows: ROWS },
  )
}

const NAMED: Readonly<Record<string, string>> = {
  project_id: '{projectId:UInt32}',
  op: "if(number % 2 = 0, 'http.server', 'db')",
  name: "concat({word:String}, '-', toString(number))",
  duration_ms: '100 + number',
  sample_rate: '1',
  // Rows of nothing go when they are added up.
  quantity: '1',
  payload: `concat('{"user":{"email":"', {word:String}, '"}}')`,
}

function valueOf(name: string, type: string): string {
  const named = NAMED[name]
  if (named !== undefined) return named
  const fixed = /^FixedString\((\d+)\)$/.exec(type)?.[1]
  if (fixed !== undefined) return `leftPad(hex({projectId:UInt32} * 1000 + number), ${fixed}, '0')`
  if (type.startsWith('Map(LowCardinality(String), String'))
    return "map('word', {word:String}, {word:String}, '1')"
  if (type.startsWith('Map(')) return "map('size', number)"
  if (type.startsWith('Array(')) return type.includes('String') ? '[{word:String}]' : '[number]'
  if (type.startsWith('DateTime')) return 'toDateTime({nowSec:UInt32}) - number'
  if (type.includes('String')) return '{word:String}'
  return 'number'
}
