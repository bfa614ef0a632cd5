/**
 * Holds docs/facts.md to the repository: every fact has a row, and a row either says "not yet" or names a
 * file and a test that exist, the test naming the fact's id in a title.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const FACT_IDS: readonly string[] =
  'N1 N2 N3 N4 N5 N6 N7 N8 E1 E2 R1 R2 R3 R4 R5 R6 R7 T1 T2 T3 T4 T5 T6'.split(' ')

export type FactRow = { readonly id: string; readonly file: string; readonly test: string }

/** Rows of the form `| N1 | fact | `file` | `test` |`. */
export function readFactRows(markdown: string): FactRow[] {
  return [...markdown.matchAll(/^\| ([NERT]\d) \|[^|]*\|([^|]*)\|([^|]*)\|/gm)].map((row) => ({
    id: row[1] ?? '',
    file: (row[2] ?? '').trim(),
    test: (row[3] ?? '').trim(),
  }))
}

/** `read` returns the text of a path from the root, or undefined when there is none. */
export function factProblems(rows: readonly FactRow[], read: (path: string) => string | undefined): string[] {
  const problems = FACT_IDS.filter((id) => !rows.some((row) => row.id === id)).map(
    (id) => `docs/facts.md has no row for ${id}`,
  )
  for (const row of rows) {
    for (const [column, cell] of [
      ['file', row.file],
      ['test', row.test],
    ] as const) {
      const paths = [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')
      if (paths.length === 0 && !cell.startsWith('not yet'))
        problems.push(`${row.id}: the ${column} is neither a path nor "not yet"`)
      for (const path of paths) {
        const text = read(path)
        if (text === undefined) problems.push(`${row.id}: ${path} does not exist`)
        else if (column === 'test' && !new RegExp(`\\b${row.id}\\b`).test(text))
          problems.push(`${row.id}: no test in ${path} names it`)
      }
    }
  }
  return problems
}

export function checkFacts(root: string): string[] {
  const read = (path: string): string | undefined =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined
  return factProblems(readFactRows(read('docs/facts.md') ?? ''), read)
}
