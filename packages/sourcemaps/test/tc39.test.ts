/** The suite of the standard: https://github.com/tc39/source-map-tests */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { MapError, readSourceMap, type SourceMap } from '../src/index.ts'
import { readScopes, type Scope } from '../src/read-scopes.ts'
import { suite } from './known-failures.ts'

const FOLDER = join(import.meta.dirname, '../../../fixtures/source-maps/tc39')
type Action = {
  readonly actionType: 'checkMapping' | 'checkMappingTransitive' | 'checkIgnoreList'
  readonly generatedLine: number
  readonly generatedColumn: number
  readonly originalSource: string | null
  readonly originalLine: number | null
  readonly originalColumn: number
  readonly mappedName?: string | null
  readonly intermediateMaps?: readonly string[]
  readonly present?: readonly string[]
}
type Case = {
  readonly name: string
  readonly sourceMapFile: string
  readonly sourceMapIsValid: boolean
  readonly testActions?: readonly Action[]
}

const casesIn = (file: string): readonly Case[] =>
  (JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { tests: readonly Case[] }).tests
/** Maps of a proposal have a folder of their own. */
const load = (file: string, proposal = ''): SourceMap =>
  readSourceMap(readFileSync(join(FOLDER, 'resources', proposal, file)))

function run({ sourceMapFile, sourceMapIsValid, testActions = [] }: Case, proposal?: string): void {
  if (!sourceMapIsValid) {
    assert.throws(() => load(sourceMapFile, proposal), MapError)
    return
  }
  const map = load(sourceMapFile, proposal)
  for (const action of testActions) check(map, action)
}

function check(map: SourceMap, action: Action): void {
  if (action.actionType === 'checkIgnoreList') {
    assert.deepEqual(
      map.sources.flatMap(({ path, isIgnored }) => (isIgnored ? path : [])),
      action.present,
    )
    return
  }
  let found = map.lookUp(action.generatedLine, action.generatedColumn)
  for (const file of action.intermediateMaps ?? []) {
    assert.ok(found)
    found = load(file).lookUp(found.line, found.column)
  }
  if (action.originalLine === null) {
    assert.equal(found, undefined)
    return
  }
  assert.ok(found, JSON.stringify(action))
  assert.deepEqual(
    [found.source.path, found.line, found.column],
    [action.originalSource, action.originalLine, action.originalColumn],
  )
  if (action.mappedName !== undefined && !action.intermediateMaps) assert.equal(found.name, action.mappedName)
}

suite(
  'tc39',
  casesIn('source-map-spec-tests.json').map((each) => [each.name, () => run(each)] as const),
  99,
)
suite(
  'tc39 range mappings (a proposal)',
  casesIn('range-mappings-proposal-tests.json').map(
    (each) => [each.name, () => run(each, 'proposals/range-mappings')] as const,
  ),
  13,
)

type GoldenScope = {
  readonly start: { readonly line: number; readonly column: number }
  readonly end: { readonly line: number; readonly column: number }
  readonly name: string | null
  readonly kind: string | null
  readonly isStackFrame: boolean
  readonly children: readonly GoldenScope[]
}

/** Variables are not read. */
const ofGolden = ({ start, end, name, kind, isStackFrame, children }: GoldenScope): Scope => ({
  startLine: start.line,
  startColumn: start.column,
  endLine: end.line,
  endColumn: end.column,
  name,
  kind,
  isStackFrame,
  children: children.map(ofGolden),
})

const DECODING = join(FOLDER, 'decoding')
/** Two of the files have a comma after the last field, which is no JSON. */
const jsonIn = (path: string): string => readFileSync(path, 'utf8').replace(/,(\s*[}\]])/g, '$1')
const goldenOf = <Golden>(path: string): Golden => JSON.parse(jsonIn(`${path}.golden`)) as Golden
const mapsIn = (folder: string): string[] =>
  readdirSync(join(DECODING, folder)).flatMap((file) =>
    file.endsWith('.map') ? join(DECODING, folder, file) : [],
  )

suite(
  'tc39 scopes (a proposal)',
  mapsIn('scopes').map((path) => [
    basename(path),
    () => {
      const { scopes, names } = JSON.parse(readFileSync(path, 'utf8')) as { scopes: string; names: string[] }
      const { sources } = goldenOf<{ sources: readonly { scope: GoldenScope | null }[] }>(path)
      const expected = sources.map(({ scope }) => (scope ? ofGolden(scope) : undefined))
      assert.deepEqual(readScopes(scopes, names), expected)
    },
  ]),
  8,
)
suite(
  'tc39 debug ids (a proposal)',
  mapsIn('debug-id').map((path) => [
    basename(path),
    () => {
      const { debugId } = goldenOf<{ debugId?: string }>(path)
      assert.equal(readSourceMap(new TextEncoder().encode(jsonIn(path))).debugId, debugId ?? undefined)
    },
  ]),
  4,
)
