/** The answer of `sonde sourcemaps verify` for people: a line per bundle, then what is wrong and what to do. */
import { table } from '../print.ts'
import type { BundleCheck, BundleProblem } from './check-bundle.ts'

const HEAD = ['file', 'debug id', 'map', 'ids', 'sources', 'positions', 'server', '']
const MAX_NAME = 60
const NOTHING = '–'

const TODO: Readonly<Record<BundleProblem, string>> = {
  no_debug_id:
    'Inject debug ids: `sonde sourcemaps upload DIR` does it, or `sentry-cli sourcemaps inject DIR`, or the plugin of the bundler.',
  no_map:
    'Turn source maps on: Vite `build.sourcemap: "hidden"`, webpack `devtool: "hidden-source-map"`, esbuild `--sourcemap=external`.',
  map_missing: 'Verify before maps are removed from the build, or bring them back into the folder.',
  map_unreadable: 'Build again. If it stays, the tool that writes this map last breaks it.',
  ids_differ:
    'Clear the output folder before a build, and inject once, after the last tool that changes the files.',
  no_sources:
    'Let the bundler write `sourcesContent` (TypeScript: `inlineSources`), or verify where the sources lie.',
  wrong_positions:
    'A tool changed the file after its map was written, or the map is of another build: build with one chain that hands maps on.',
  not_uploaded: 'Upload it: `sonde sourcemaps upload DIR`.',
  broken_upload: 'Build and upload again.',
  not_checked: 'Ask the server whether it has the map: `--url`, `--org`, `--token`.',
}

export type VerifyAnswer = {
  readonly bundles: readonly BundleCheck[]
  /** Maps that anybody can read. */
  readonly publicMaps: readonly string[]
  /** Scripts of other hosts. */
  readonly elsewhere: readonly string[]
}

export function verifyText({ bundles, publicMaps, elsewhere }: VerifyAnswer): string {
  const bad = bundles.filter(({ problems }) => problems.length > 0)
  const asksServer = bundles.some(({ server }) => server !== undefined)
  const rows = [HEAD, ...bundles.map(rowOf)].map((row) => (asksServer ? row : row.toSpliced(6, 1)))
  return [
    table(rows),
    '',
    bad.length === 0
      ? `${countOf(bundles.length, 'bundle')}: ${bundles.length === 1 ? 'it will be' : 'all will be'} readable.`
      : `${bad.length} of ${bundles.length} will not be readable:`,
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
  problems.map(({ detail }) => `  ${file}: ${detail}`)

/** What to do about each kind, once. */
function todoLines(bad: readonly BundleCheck[]): string[] {
  const kinds = new Set(bad.flatMap(({ problems }) => problems.map(({ problem }) => problem)))
  return ['', ...[...kinds].map((kind) => `${kind.replaceAll('_', ' ')}: ${TODO[kind]}`)].slice(
    kinds.size === 0 ? 1 : 0,
  )
}

const notes = (head: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', head, ...lines.map((line) => `  ${line}`)]

/** The end says more than the beginning. */
const shorten = (text: string): string => (text.length > MAX_NAME ? `…${text.slice(1 - MAX_NAME)}` : text)

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
