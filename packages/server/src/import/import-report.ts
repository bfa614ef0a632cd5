/** What an import did and what it could not, for people and for programs. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ImportJournal, type Outcome, PAUSED_RULES } from './import-journal.ts'

export type ImportReport = {
  readonly product: string
  readonly from: string
  readonly into: string
  readonly isDryRun: boolean
  readonly counts: Readonly<Record<string, Readonly<Record<Outcome['outcome'], number>>>>
  /** All that is not `done`. */
  readonly left: readonly Outcome[]
  /** Kinds that were not there at all. */
  readonly missing: readonly { readonly kind: string; readonly why: string }[]
  readonly notes: readonly string[]
}

export function reportOf(
  journal: ImportJournal,
  about: Pick<ImportReport, 'product' | 'from' | 'into' | 'isDryRun' | 'missing' | 'notes'>,
): ImportReport {
  const counts: Record<string, Record<Outcome['outcome'], number>> = {}
  for (const { kind, outcome } of journal.all()) {
    if (kind === PAUSED_RULES) continue
    const count = (counts[kind] ??= { done: 0, partly: 0, left: 0 })
    count[outcome]++
  }
  return { ...about, counts, left: journal.all().filter(({ outcome }) => outcome !== 'done') }
}

/** `report.json` and `report.md` in the folder of the journal; returns the path of the second. */
export function writeReport(dir: string, report: ImportReport): string {
  writeFileSync(join(dir, 'report.json'), `${JSON.stringify(report, null, 1)}\n`, { mode: 0o600 })
  const path = join(dir, 'report.md')
  writeFileSync(path, markdownOf(report), { mode: 0o600 })
  return path
}

const MAX_SHOWN = 2_000

function markdownOf({ product, from, into, isDryRun, counts, left, missing, notes }: ImportReport): string {
  const lines = [
    `# Import from ${product}`,
    '',
    `From ${cell(from)} into ${cell(into)}.${isDryRun ? ' A dry run: nothing was written.' : ''}`,
    '',
    '| kind | here | partly | not here |',
    '| --- | ---: | ---: | ---: |',
    ...Object.entries(counts).map(
      ([kind, count]) => `| ${kind} | ${count.done} | ${count.partly} | ${count.left} |`,
    ),
    ...notes.flatMap((note) => ['', cell(note)]),
  ]
  if (missing.length > 0)
    lines.push(
      '',
      '## Not read at all',
      '',
      ...missing.map(({ kind, why }) => `- ${cell(kind)}: ${cell(why)}`),
    )
  if (left.length > 0)
    lines.push(
      '',
      '## Object by object',
      '',
      '| kind | there | here | what is missing |',
      '| --- | --- | --- | --- |',
      ...left
        .slice(0, MAX_SHOWN)
        .map(
          ({ kind, name, to = '', why = [] }) =>
            `| ${kind} | ${cell(name)} | ${cell(to)} | ${cell(why.join('; '))} |`,
        ),
    )
  if (left.length > MAX_SHOWN) lines.push('', `${left.length - MAX_SHOWN} more are in report.json.`)
  return `${lines.join('\n')}\n`
}

/** Strangers chose these words: they are text, and no table, link or HTML. */
const cell = (text: string): string =>
  text
    .slice(0, 300)
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll(/[\\`*_{}[\]<>|#!~]/g, String.raw`\$&`)
