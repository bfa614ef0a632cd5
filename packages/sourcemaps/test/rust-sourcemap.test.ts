/**
 * Bundles of five bundlers into which code was injected later: the map of the injection, then that of the bundle, must lead
 * where the map leads that was composed of both. And React Native, whose map has function names for each source.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OriginalPosition, readSourceMap, type SourceMap } from '../src/index.ts'
import { suite } from './known-failures.ts'

const FOLDER = join(import.meta.dirname, '../../../fixtures/source-maps/rust-sourcemap')
const load = (file: string): SourceMap => readSourceMap(readFileSync(join(FOLDER, file)))
const files = JSON.parse(readFileSync(join(FOLDER, 'files.json'), 'utf8')) as Record<string, string>
const placeOf = (found: OriginalPosition | undefined): unknown =>
  found && [found.source.path, found.line, found.column]

function inTwoSteps(bundler: string): void {
  const [injected, bundle, composed] = ['-injected', '', '-composed'].map((which) =>
    load(`${bundler}${which}.bundle.js.map`),
  ) as [SourceMap, SourceMap, SourceMap]
  let found = 0
  for (const [line, text] of files[`${bundler}-injected.bundle.js`]!.split('\n').entries())
    for (let column = 0; column < text.length; column++) {
      const before = injected.lookUp(line, column)
      const own = before && bundle.lookUp(before.line, before.column + column - before.generatedColumn)
      const once = composed.lookUp(line, column)
      assert.deepEqual(placeOf(own), placeOf(once), `${line}:${column}`)
      if (once) found++
    }
  assert.ok(found > 30, `${found}`)
}

suite(
  'rust-sourcemap',
  [
    ...['esbuild', 'rollup', 'rspack', 'vite', 'webpack'].map(
      (bundler) => [`code injected behind ${bundler}`, () => inTwoSteps(bundler)] as const,
    ),
    [
      'react-native-hermes',
      () => {
        const map = load('react-native-hermes.output.map')
        // Bytecode is one line: offsets into it lead to the modules.
        const places = [11_857, 11_939].map((offset) => placeOf(map.lookUp(0, offset)))
        assert.deepEqual(places, [
          ['input.js', 2, 0],
          ['module.js', 1, 10],
        ])
      },
    ],
  ],
  6,
)
