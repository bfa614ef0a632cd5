/** Logs, sessions, profiles, check-ins and replays: what a row costs on the disk, an item to process, and a screen to answer. README.md says how. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { KindMeasured } from './kinds/measure.ts'
import { FIRST_PAGE } from './kinds/rows.ts'
import { atMost, type Figure } from './report/figure.ts'

const BUDGET_MS = 200

export async function kinds(say: (text: string) => void, rows: number, only: string): Promise<Figure[]> {
  const measured: KindMeasured[] = []
  for (const kind of ['logs', 'sessions', 'profile_functions', 'check_ins', 'replays'].filter((name) =>
    name.includes(only),
  )) {
    // A process of its own, so that one kind's memory says nothing of the next.
    const file = join(import.meta.dirname, 'kinds', 'measure.ts')
    const args = [...process.execArgv, file, kind, String(rows)]
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args)
    if (stderr !== '') say(stderr.trim())
    measured.push(JSON.parse(stdout) as KindMeasured)
  }
  return measured.flatMap(figuresOf)
}

function figuresOf({ kind, rows, bytesPerRow, itemsPerSecond, questions }: KindMeasured): Figure[] {
  const part = 'kinds'
  return [
    {
      part,
      name: `bytes on disk per row of ${kind} (${rows.toLocaleString('en')})`,
      value: bytesPerRow,
      unit: 'B',
    },
    ...(itemsPerSecond === undefined
      ? []
      : [{ part, name: `${kind} processed on one thread`, value: itemsPerSecond, unit: 'rows/s' }]),
    ...questions.map(({ name, processorMs, clockMs }) => ({
      part,
      name: `${kind}: ${name}, processor time`,
      value: processorMs,
      unit: 'ms',
      against: { name: 'of the clock', value: clockMs },
      // The budget is said of the first page of lines; the others are measured beside it.
      ...(name === FIRST_PAGE && { budget: atMost(BUDGET_MS, processorMs, `${BUDGET_MS} ms`) }),
    })),
  ]
}
