/** Source maps and the code they belong to: whatever the bytes are, they are refused by name or can be asked. */
import assert from 'node:assert/strict'
import {
  checkSourceMap,
  contextLines,
  createFunctionIndex,
  debugIdOfCode,
  functionName,
  MapError,
  readSourceMap,
  type SourceMap,
  sourceName,
} from '@sonde/sourcemaps'
import { scriptFacts } from '../../../packages/commands/src/artifacts/bundle-files.ts'
import type { Target } from '../engine/target.ts'
import { mutateJson } from '../mutators/json.ts'
import { fixture, fixturesIn } from './fixtures.ts'

const SEED_BYTES = 20_000
const PLACES = [0, 1, 2, 7, 100, 2 ** 31 - 1]

export const sourceMap: Target = {
  name: 'source-map',
  seeds: () => fixturesIn('source-maps', SEED_BYTES, '.map'),
  mutate: mutateJson,
  words: ['"mappings":"', '"sections":[', '"ignoreList":[', 'AAAA', ';;;', 'gggggggggggggB', '"scopes":"'],
  open: () => ({ run: (input) => askMap(input) }),
}

export const script: Target = {
  name: 'script',
  seeds: () => [
    ...Object.values(JSON.parse(fixture('source-maps/rust-sourcemap/files.json').toString()) as object)
      .filter((text) => typeof text === 'string' && text.length < SEED_BYTES)
      .map((text) => Buffer.from(text as string)),
    Buffer.from(
      '(function(a){return class{#b=1;get c(){return`${a=>/[/]/g}`}}})(x)\n//# sourceMappingURL=a.js.map',
    ),
  ],
  words: [
    'function ',
    '=>',
    '`${',
    '}`',
    '/*',
    '*/',
    '//',
    '/[',
    'class ',
    'async ',
    '#a',
    '\\u{',
    '//# debugId=',
    'sentry-dbid-',
  ],
  open: () => {
    const map = readSourceMap(fixture('source-maps/tc39/resources/basic-mapping.js.map'))
    return {
      run(input) {
        scriptFacts(input)
        const code = input.toString('utf8')
        debugIdOfCode(code)
        const index = createFunctionIndex(code)
        for (const line of PLACES)
          for (const column of PLACES) {
            index.around(line, column)
            index.calledAt(line, column)
            functionName(map, index, line, column, () => code)
            contextLines(code, line, column, { lines: 5, maxLength: 200 })
          }
      },
    }
  },
}

function askMap(input: Buffer): void {
  let map: SourceMap
  let problem: string | undefined
  try {
    map = readSourceMap(input)
  } catch (error) {
    if (!(error instanceof MapError)) throw error
    problem = error.problem
  }
  // The upload's check and the reader must be of one mind, else an upload is stored that no frame can use.
  try {
    const checked = checkSourceMap(input)
    assert.equal(problem, undefined, 'the check takes what the reader refuses')
    assert.equal(checked.sourceCount, map!.sources.length)
  } catch (error) {
    if (!(error instanceof MapError)) throw error
    assert.equal(error.problem, problem, 'the check and the reader refuse for different reasons')
    return
  }
  for (const line of PLACES)
    for (const column of PLACES) {
      const found = map!.lookUp(line, column)
      if (!found) continue
      assert.ok(found.line >= 0 && found.column >= 0 && found.generatedColumn <= column)
      functionName(map!, undefined, line, column)
      if (found.source.content !== null)
        contextLines(found.source.content, found.line, found.column, { lines: 5, maxLength: 200 })
    }
  for (const { path } of map!.sources) {
    const name = sourceName(path)
    assert.ok(
      name === undefined || !name.split('/').includes('..') || /^[a-z][a-z0-9+.-]*:\/\//i.test(name),
      name,
    )
  }
}
