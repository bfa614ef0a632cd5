/** The answer of `sonde sourcemaps verify` for people: a line per bundle, then what is wrong and what to do. */
import { table, terminalLine } from '../print.ts'
import type { BundleCheck, BundleProblem } from './check-bundle.ts'

/** What `sonde sourcemaps verify` finds, for people; docs/reference/sourcemaps-cli.md is made from it. */
type ProblemText = {
  readonly meaning: string
  /** The next step. */
  readonly todo: string
}

export const PROBLEM_TEXTS: Readonly<Record<BundleProblem, ProblemText>> = {
  no_debug_id: {
    meaning: 'The script says no debug id, neither by a comment nor by the snippet of a bundler plugin.',
    todo: 'Inject debug ids: with the plugin of the bundler, or `sentry-cli sourcemaps inject DIR`.',
  },
  no_map: {
    meaning: 'The script names no map, and none lies beside it.',
    todo: 'Turn source maps on: Vite `build.sourcemap: "hidden"`, webpack `devtool: "hidden-source-map"`, esbuild `--sourcemap=external`.',
  },
  map_missing: {
    meaning: 'The script names a map that is not there.',
    todo: 'Verify before maps are removed from the build, or bring them back into the folder.',
  },
  map_unreadable: {
    meaning: 'The map breaks ECMA-426: truncated, of another version, numbers that point to nothing.',
    todo: 'Build again. If it stays, the tool that writes this map last breaks it.',
  },
  ids_differ: {
    meaning: 'Script and map have different debug ids: they are of two builds.',
    todo: 'Clear the output folder before a build, and inject once, after the last tool that changes the files.',
  },
  no_sources: {
    meaning: 'The map has no text of any source, and none lies where it says: there is no code to show.',
    todo: 'Let the bundler write `sourcesContent` (TypeScript: `inlineSources`), or verify where the sources lie.',
  },
  wrong_positions: {
    meaning:
      'Of some 200 places of the script, more than one in twenty lead to a line or column that the source does not have, or fewer than one in ten are in the map.',
    todo: 'A tool changed the file after its map was written, or the map is of another build: build with one chain that hands maps on.',
  },
  not_uploaded: {
    meaning: 'The server has nothing with the debug id of the script.',
    todo: 'Upload it: `sentry-cli sourcemaps upload DIR`.',
  },
  broken_upload: {
    meaning: 'The server has the debug id, and cannot read stacks with what was uploaded.',
    todo: 'Build and upload again.',
  },
  not_checked: {
    meaning: 'Of a page: the map is not public, as it should be, and no server was named to ask.',
    todo: 'Ask the server whether it has the map: `--url`, `--org`, `--token`.',
  },
}

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
