/** The answer of `sonde sourcemaps verify` for people: a line per bundle, then what is wrong and what to do. */
import { table, terminalLine } from '../print.ts'
import type { BundleCheck } from './check-bundle.ts'
import { PROBLEM_TEXTS } from './problems.ts'

const HEAD = ['file', 'debug id', 'map', 'ids', 'sources', 'positions', 'server', '']
const MAX_NAME = 60
const NOTHING = '–'

export type VerifyAnswer = {
  readonly bundles: readonly BundleCheck[]
  /** Maps that anybody can read. */
  readonly publicMaps: readonly string[]
  /** Scripts of other hosts. */
  readonly elsewhere: readonly string[]
}

export function verifyText({ bundles, publicMaps, elsewhere }: VerifyAnswer): string {
  const bad = bundles.filter(({ problems }) => problems.length > 0)
  const isUnknown = bad.every(({ problems }) => problems.every(({ problem }) => problem === 'not_checked'))
  const asksServer = bundles.some(({ server }) => server !== undefined)
  const rows = [HEAD, ...bundles.map(rowOf)].map((row) => (asksServer ? row : row.toSpliced(6, 1)))
  return [
    table(rows),
    '',
    bad.length === 0
      ? `${countOf(bundles.length, 'bundle')}: ${bundles.length === 1 ? 'it will be' : 'all will be'} readable.`
      : `${bad.length} of ${bundles.length} ${isUnknown ? 'could not be checked' : 'will not be readable'}:`,
    ...bad.flatMap(problemLines),
    ...todoLines(bad),
    ...notes('Anybody can read these maps, and your sources in them:', publicMaps),
    ...notes('Not looked at, of other hosts (name them with --host):', elsewhere),
  ].join('\n')
}

function rowOf({
  file,
  debugId,
  map,
  mapDebugId,
  sources,
  positions,
  server,
  problems,
}: BundleCheck): string[] {
  return [
    shorten(file),
    debugId ?? 'none',
    map === undefined ? NOTHING : shorten(map.replace(/^.*\//, '')),
    mapDebugId === undefined ? NOTHING : mapDebugId === debugId ? 'equal' : 'differ',
    sources === undefined ? NOTHING : `${sources.withText}/${sources.named}`,
    positions === undefined ? NOTHING : `${positions.mapped - positions.wrong}/${positions.tried}`,
    server ?? NOTHING,
    problems.length === 0 ? 'ok' : problems.map(({ problem }) => problem.replaceAll('_', ' ')).join(', '),
  ]
}

const problemLines = ({ file, problems }: BundleCheck): string[] =>
  problems.map(({ detail }) => terminalLine(`  ${file}: ${detail}`))

/** What to do about each kind, once. */
function todoLines(bad: readonly BundleCheck[]): string[] {
  const kinds = new Set(bad.flatMap(({ problems }) => problems.map(({ problem }) => problem)))
  return ['', ...[...kinds].map((kind) => `${kind.replaceAll('_', ' ')}: ${PROBLEM_TEXTS[kind].todo}`)].slice(
    kinds.size === 0 ? 1 : 0,
  )
}

const notes = (head: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', head, ...lines.map((line) => `  ${terminalLine(line)}`)]

/** The end says more than the beginning. */
const shorten = (text: string): string => (text.length > MAX_NAME ? `…${text.slice(1 - MAX_NAME)}` : text)

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
