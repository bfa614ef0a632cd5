/** The suite of the standard: https://github.com/tc39/source-map-tests */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { MapError, readSourceMap, type SourceMap } from '../src/index.ts'
import { readScopes, type Scope } from '../src/read-scopes.ts'

const FOLDER = join(import.meta.dirname, '../../../fixtures/source-maps/tc39')
/** Tests that fail, each with its reason. The list can only shrink: one that passes is an error too. */
const KNOWN_FAILURES: Readonly<Record<string, string>> = {}

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

const { tests } = JSON.parse(readFileSync(join(FOLDER, 'source-map-spec-tests.json'), 'utf8')) as {
  tests: readonly Case[]
}
const load = (file: string): SourceMap => readSourceMap(readFileSync(join(FOLDER, 'resources', file)))

function run({ sourceMapFile, sourceMapIsValid, testActions = [] }: Case): void {
  if (!sourceMapIsValid) {
    assert.throws(() => load(sourceMapFile), MapError)
    return
  }
  const map = load(sourceMapFile)
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

describe('source-map-tests of TC39', () => {
  it('are all there', () => assert.equal(tests.length, 99))
  for (const each of tests) {
    const reason = KNOWN_FAILURES[each.name]
    it(reason === undefined ? each.name : `${each.name} (known to fail: ${reason})`, () => {
      if (reason === undefined) run(each)
      else assert.throws(() => run(each))
    })
  }
})

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

describe('scopes', () => {
  for (const path of mapsIn('scopes'))
    it(path.slice(DECODING.length + 1), () => {
      const { scopes, names } = JSON.parse(readFileSync(path, 'utf8')) as { scopes: string; names: string[] }
      const { sources } = goldenOf<{ sources: readonly { scope: GoldenScope | null }[] }>(path)
      const expected = sources.map(({ scope }) => (scope ? ofGolden(scope) : undefined))
      assert.deepEqual(readScopes(scopes, names), expected)
    })
})

describe('debug ids', () => {
  for (const path of mapsIn('debug-id'))
    it(path.slice(DECODING.length + 1), () => {
      const { debugId } = goldenOf<{ debugId?: string }>(path)
      assert.equal(readSourceMap(new TextEncoder().encode(jsonIn(path))).debugId, debugId ?? undefined)
    })
})
