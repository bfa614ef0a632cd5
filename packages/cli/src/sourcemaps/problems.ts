/** What `sonde sourcemaps verify` finds, with what each means; docs/reference/sourcemaps-cli.md is made from it. */

/** In the order in which they are met; each fails the check. */
export const BUNDLE_PROBLEMS = [
  /** Of a page: it is named and not there. */
  'script_missing',
  'no_debug_id',
  'no_map',
  'map_missing',
  'map_unreadable',
  'ids_differ',
  'no_sources',
  'wrong_positions',
  /** Asked of the server. */
  'not_uploaded',
  /** Asked of the server: it is there, and cannot be used. */
  'broken_upload',
  /** On a page whose maps are not public, without a server to ask. */
  'not_checked',
] as const
export type BundleProblem = (typeof BUNDLE_PROBLEMS)[number]

type ProblemText = {
  readonly meaning: string
  /** The next step. */
  readonly todo: string
}

export const PROBLEM_TEXTS: Readonly<Record<BundleProblem, ProblemText>> = {
  script_missing: {
    meaning: 'The page, one of its scripts or a manifest names this script, and the site does not have it.',
    todo: 'Deploy all files of the build before the HTML, and keep those of the build before for open tabs.',
  },
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
