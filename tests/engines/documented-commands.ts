/** The commands of docs/operate/backup.md for data on servers, as they stand there, and how the tables of those servers are compared. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'operate', 'backup.md')

/** Programs that only these commands need. Who has none of them runs the others. */
const OPTIONAL = ['nats', 'rclone'] as const
export type OptionalProgram = (typeof OPTIONAL)[number]

export const missingPrograms = (): readonly OptionalProgram[] =>
  OPTIONAL.filter((program) => spawnSync(program, ['--version']).error !== undefined)

/** The shell commands below a heading of the page, without those of programs that are not here. */
export function commandsBelow(heading: string, missing: readonly OptionalProgram[]): string {
  const [, below] = readFileSync(PAGE, 'utf8').split(`\n### ${heading}\n`)
  const block = /```sh\n(.*?)```/s.exec(below?.split('\n## ')[0] ?? '')?.[1]
  if (block === undefined) throw new Error(`${PAGE} has no commands below "${heading}"`)
  const commands = block.replaceAll(/\\\n\s*/g, '').split('\n')
  return commands.filter((command) => !missing.some((program) => command.startsWith(program))).join('\n')
}

/** Throws with what they printed unless each of them ended well. */
export function runCommands(commands: string, variables: NodeJS.ProcessEnv): void {
  // Nothing else of this environment: its proxies and certificates are not for these servers.
  const env = { PATH: process.env['PATH'], ...variables }
  const done = spawnSync('bash', ['-euxo', 'pipefail', '-c', commands], { env, encoding: 'utf8' })
  if (done.status !== 0)
    throw new Error(`${commands}\nended with ${done.status}\n${done.stdout}\n${done.stderr}`)
}

/** `123 rows, ab12…` by the name of the table: a hash over all of its rows. */
export type TableHashes = Readonly<Record<string, string>>

export async function recordsHashes(url: string): Promise<TableHashes> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const tables = await client.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    )
    const hashes: [string, string][] = []
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ text: string }>(
        `SELECT count(*) || ' rows, ' || md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text COLLATE "C"), '')) AS text
         FROM "${name}" t`,
      )
      hashes.push([name, rows[0]?.text ?? ''])
    }
    return Object.fromEntries(hashes)
  } finally {
    await client.end()
  }
}

/** `server`: an origin, whose own tables are read. */
export async function telemetryHashes(server: string, database: string): Promise<TableHashes> {
  const ask = async <Row>(query: string): Promise<readonly Row[]> => {
    const answer = await fetch(new URL(`/?database=${database}&default_format=JSON`, server), {
      method: 'POST',
      body: query,
    })
    if (!answer.ok) throw new Error(`${query}: ${await answer.text()}`)
    return ((await answer.json()) as { data: readonly Row[] }).data
  }
  const tables = await ask<{ name: string; engine: string }>(
    `SELECT name, engine FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree' ORDER BY name`,
  )
  const hashes: [string, string][] = []
  for (const { name, engine } of tables) {
    // Rows of the same key become one when their parts are merged, whenever that is.
    const final = engine === 'MergeTree' ? '' : ' FINAL'
    const [row] = await ask<{ text: string }>(
      `SELECT concat(toString(count()), ' rows, ', hex(groupBitXor(cityHash64(toString(tuple(*)))))) AS text FROM ${name}${final}`,
    )
    hashes.push([name, row?.text ?? ''])
  }
  return Object.fromEntries(hashes)
}
