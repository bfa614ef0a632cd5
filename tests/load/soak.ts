/** Hours at half the knee: what grows is a leak, or a store that does not merge. A row every ten minutes, and the slopes at the end. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { idPrefix } from '../../bench/load/template.ts'
import { pythonLikeEnvelopes } from '../../bench/payloads/python-like.ts'
import type { LoadPlace } from './load-place.ts'

export type SoakRow = {
  readonly minutes: number
  readonly frontMb: number
  readonly backMb: number
  /** Of the two, what JavaScript holds. */
  readonly frontHeapMb: number
  readonly backHeapMb: number
  /** Of the back, what the embedded engine counts, and of that its caches. */
  readonly engineMb: number
  readonly cacheMb: number
  readonly handles: number
  readonly parts: number
  readonly lagSec: number
  readonly p99Ms: number
  readonly diskMb: number
}

type SoakPlan = {
  readonly hours: number
  readonly kneePerSec: number
  readonly onRow: (row: SoakRow) => void
}

const ROW_MINUTES = 10
/** A short one, to see that it works, has rows as well. */
const LEAST_ROWS = 6
const CONNECTIONS = 32
const MB = 1_000_000

export async function soak(place: LoadPlace, { hours, kneePerSec, onRow }: SoakPlan): Promise<SoakRow[]> {
  const { attacker, target, running } = place
  const totalMinutes = hours * 60
  const rowMinutes = Math.min(ROW_MINUTES, totalMinutes / LEAST_ROWS)
  await attacker.load('soak', pythonLikeEnvelopes(), target)
  const prefix = idPrefix()
  const rows: SoakRow[] = []
  let counter = 0
  for (let minutes = rowMinutes; minutes <= totalMinutes + rowMinutes / 2; minutes += rowMinutes) {
    const { scheduled, latencyMs } = await attacker.run({
      target,
      payloads: 'soak',
      connections: CONNECTIONS,
      ratePerSec: Math.max(1, Math.round(kneePerSec / 2)),
      durationMs: rowMinutes * 60_000,
      idPrefix: prefix,
      firstCounter: counter,
    })
    counter += scheduled
    const rss = place.rss()
    const files = filesIn(running.dataDir)
    const megabytes = async (metric: string): Promise<number> => Math.round((await place.metric(metric)) / MB)
    const row: SoakRow = {
      minutes: Math.round(minutes * 10) / 10,
      frontMb: Math.round((rss?.frontBytes ?? Number.NaN) / MB),
      backMb: Math.round((rss?.backBytes ?? Number.NaN) / MB),
      frontHeapMb: await megabytes('sonde_front_heap_bytes'),
      backHeapMb: await megabytes('sonde_back_heap_bytes'),
      engineMb: await megabytes('sonde_engine_memory_bytes'),
      cacheMb: await megabytes('sonde_engine_cache_bytes'),
      handles: place.handles(),
      // A part has one file of this name; those that were merged away stay for eight minutes.
      parts: files.filter(({ name }) => name === 'columns.txt').length,
      lagSec: Math.round((await place.lagSec()) * 10) / 10,
      p99Ms: Math.round(latencyMs.p99 * 10) / 10,
      diskMb: Math.round(files.reduce((sum, { bytes }) => sum + bytes, 0) / MB),
    }
    rows.push(row)
    onRow(row)
  }
  return rows
}

/** Per hour, by least squares, without the first row: caches fill in it. */
export function slopes(rows: readonly SoakRow[]): Readonly<Record<string, number>> {
  const later = rows.slice(1)
  const meanHours = mean(later.map(({ minutes }) => minutes / 60))
  const names = Object.keys(rows[0] ?? {}).filter((name) => name !== 'minutes') as (keyof SoakRow)[]
  return Object.fromEntries(
    names.map((name) => {
      const meanValue = mean(later.map((row) => row[name]))
      const together = later.reduce(
        (sum, row) => sum + (row.minutes / 60 - meanHours) * (row[name] - meanValue),
        0,
      )
      const apart = later.reduce((sum, row) => sum + (row.minutes / 60 - meanHours) ** 2, 0)
      return [name, Math.round((together / apart) * 10) / 10]
    }),
  )
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** Folders and files that are merged away meanwhile are left out. */
function filesIn(dir: string): { readonly name: string; readonly bytes: number }[] {
  const there = <Found>(look: () => Found): Found | undefined => {
    try {
      return look()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }
  return (there(() => readdirSync(dir, { withFileTypes: true })) ?? []).flatMap((entry) => {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) return filesIn(path)
    const bytes = entry.isFile() ? there(() => statSync(path).size) : undefined
    return bytes === undefined ? [] : [{ name: entry.name, bytes }]
  })
}
