/** Spans, vitals, navigations and errors, a little and much of them: README.md says how. */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryDataDir } from '../tests/harness/start-sonde.ts'
import { atMost, type Figure } from './report/figure.ts'
import type { StoredTable } from './spans/count-rows.ts'
import { sendThroughEndpoints } from './spans/endpoints.ts'
import { growthTable } from './spans/growth-table.ts'
import { type Measured, measureScreens } from './spans/measure-screens.ts'

export type SpansOptions = {
  /** Spans of the largest load; the others have a tenth and a hundredth. */
  readonly rows: number
  /** Kept, and used again when it is filled already; undefined: made for this run and removed. */
  readonly dataDir: string | undefined
  /** Only screens whose name contains it. */
  readonly only: string
  /** Of each screen, warm. */
  readonly requests: number
}

const COLD_ROUNDS = 3
const BUDGET_MS = 100
/** Beyond the size for which the budget is meant. */
const LARGE_ROWS = 50_000_000
const LARGE_BUDGET_MS = 500
const MB = 1024 * 1024

/** `100K`, `10M`: as people write large numbers. Throws for anything else. */
export function rowCount(text: string): number {
  const [, digits, unit = ''] = /^(\d+)([KM]?)$/i.exec(text) ?? []
  if (digits === undefined) throw new Error(`--rows ${text} is no number of rows; 100K and 10M are`)
  return Number(digits) * { '': 1, K: 1_000, M: 1_000_000 }[unit.toUpperCase() as '' | 'K' | 'M']
}

export async function spans(say: (text: string) => void, options: SpansOptions): Promise<Figure[]> {
  const temporary = options.dataDir === undefined ? temporaryDataDir() : undefined
  const dir = options.dataDir ?? temporary?.dir ?? ''
  try {
    const endpoints = await throughEndpoints(join(dir, 'endpoints'), say)
    const sizes = [options.rows / 100, options.rows / 10, options.rows].map(Math.round)
    const measured = new Map<number, Measured>()
    let stored: readonly StoredTable[] = []
    for (const rows of sizes) {
      const folder = join(dir, `rows-${rows}`)
      await load(join(dir, 'endpoints'), folder, rows, say)
      stored = await storedTables(folder)
      say(`${rows.toLocaleString('en')} spans, load of the machine ${loadavg()[0]?.toFixed(1)}`)
      const { only, requests } = options
      measured.set(rows, await measureScreens(folder, { only, requests, coldRounds: COLD_ROUNDS }, say))
    }
    console.log(growthTable(measured))
    return [
      ...endpoints,
      ...storedFigures(stored),
      ...screenFigures(options.rows, measured.get(options.rows)),
    ]
  } finally {
    temporary?.remove()
  }
}

/** Its figures are kept with the folder: it is filled once. */
async function throughEndpoints(folder: string, say: (text: string) => void): Promise<Figure[]> {
  const kept = join(folder, 'figures.json')
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as Figure[]
  mkdirSync(folder, { recursive: true })
  const figures = await sendThroughEndpoints(folder, say)
  writeFileSync(kept, JSON.stringify(figures))
  return figures
}

async function load(from: string, folder: string, rows: number, say: (text: string) => void): Promise<void> {
  const marker = join(folder, 'filled')
  if (existsSync(marker)) return
  const startedMs = performance.now()
  cpSync(from, folder, { recursive: true })
  await child('load-store.ts', folder, String(rows))
  writeFileSync(marker, '')
  const sec = (performance.now() - startedMs) / 1000
  say(`${rows.toLocaleString('en')} spans and what belongs to them are loaded after ${sec.toFixed(0)} s`)
}

const storedTables = async (folder: string): Promise<readonly StoredTable[]> =>
  JSON.parse(await child('count-rows.ts', folder)) as readonly StoredTable[]

/** In a process of its own, because the embedded engine of a process opens one folder. */
async function child(script: string, ...args: readonly string[]): Promise<string> {
  const file = join(import.meta.dirname, 'spans', script)
  const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, file, ...args])
  return stdout
}

const storedFigures = (tables: readonly StoredTable[]): Figure[] =>
  tables.map(({ table, bytes, rows }) => ({
    part: 'spans',
    name: `bytes on disk per row of ${table} (${rows.toLocaleString('en')})`,
    value: bytes / rows,
    unit: 'B',
  }))

function screenFigures(rows: number, measured: Measured | undefined): Figure[] {
  const limit = rows >= LARGE_ROWS ? LARGE_BUDGET_MS : BUDGET_MS
  const screens = (measured?.screens ?? []).map((screen) => ({
    part: 'spans',
    name: `${screen.name}, p95`,
    value: screen.warmP95Ms,
    unit: 'ms',
    against: { name: 'p50', value: screen.warmP50Ms },
    budget: atMost(limit, screen.warmP95Ms, `${limit} ms`),
  }))
  const { memory } = measured ?? {}
  const figure = { part: 'spans', unit: 'MB' }
  return [
    ...screens,
    ...(memory
      ? [
          {
            ...figure,
            name: 'RSS of the back during these, highest',
            value: memory.rssBytes / MB,
            budget: atMost(900, memory.rssBytes / MB, '900 MB'),
          },
          { ...figure, name: 'of it private', value: memory.privateBytes / MB },
        ]
      : []),
  ]
}
