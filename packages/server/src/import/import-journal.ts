/**
 * What an import did so far, a line for each object, in a folder of its own: a second run goes on behind it and doubles nothing.
 * The last line of an object is the one that counts.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'

export type Outcome = {
  /** `project`, `key`, `issue`, … */
  readonly kind: string
  /** There. */
  readonly id: string
  /** For people. */
  readonly name: string
  /** `partly`: it is here, and something of it is not. `left`: it is not here; a later run tries again. */
  readonly outcome: 'done' | 'partly' | 'left'
  readonly why?: readonly string[]
  /** What it became here. */
  readonly to?: string
}

export type ImportJournal = {
  readonly dir: string
  get(kind: string, id: string): Outcome | undefined
  all(): readonly Outcome[]
  note(outcome: Outcome): void
}

/** Of no object: which alert rules are off until the end. `to`: JSON of their ids. */
export const PAUSED_RULES = 'paused rules'

const keyOf = (kind: string, id: string): string => `${kind} ${id}`

export function openImportJournal(dir: string): ImportJournal {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const path = join(dir, 'journal.ndjson')
  const outcomes = new Map<string, Outcome>()
  if (existsSync(path)) {
    const bytes = readFileSync(path)
    // What a crash cut is as if it had not been written.
    const whole = bytes.lastIndexOf(0x0a) + 1
    if (whole < bytes.length) truncateSync(path, whole)
    for (const line of bytes.toString('utf8', 0, whole).split('\n').filter(Boolean)) {
      const outcome = JSON.parse(line) as Outcome
      outcomes.set(keyOf(outcome.kind, outcome.id), outcome)
    }
  }
  return {
    dir,
    get: (kind, id) => outcomes.get(keyOf(kind, id)),
    all: () => [...outcomes.values()],
    note(outcome) {
      appendFileSync(path, `${JSON.stringify(outcome)}\n`, { mode: 0o600 })
      outcomes.set(keyOf(outcome.kind, outcome.id), outcome)
    },
  }
}
