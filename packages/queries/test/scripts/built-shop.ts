/** A shop's code, really bundled and minified, and a resolver that reads the maps of these bundles. */
import type { CodePosition, ResolvePositions, SourcePosition } from '@sonde/protocol/code-position'
import {
  createFunctionIndex,
  findDeclaration,
  findText,
  functionName,
  readSourceMap,
  sourceName,
} from '@sonde/sourcemaps'
import { rolldown } from 'rolldown'

const RECALC = `import { priceOf } from './price.ts'
const slow = (list) => list.map((item) => priceOf(item)).reduce((a, b) => a + b, 0)

export function recalcTotals(items) {
  let sum = 0
  for (const item of items) sum += slow([item, ...items])
  return sum
}

export function recalcTaxes(items) {
  return items.map((item) => priceOf(item) * 0.19)
}
`
const PRICE = `export const priceOf = (item) => item.price * item.count\n`
const MAIN = `import { recalcTaxes, recalcTotals } from './cart/recalc.ts'
globalThis.totals = (items) => [recalcTotals(items), recalcTaxes(items)]
`
const BANNER = `export const banner = () => { document.title = 'A banner that the next release has' }
globalThis.banner = banner
`

export type BuiltFile = {
  readonly url: string
  readonly code: string
  /** Bytes of its map. */
  readonly map: Uint8Array
  /** Where a function of the bundle begins, as long animation frames tell: its parentheses, counted from 0. */
  characterOf(functionInSource: string): number
}

/** `withBanner`: as a later release, in which everything stands elsewhere. */
export async function buildShop(url: string, withBanner: boolean): Promise<BuiltFile> {
  const sources = new Map([
    ['/shop/src/main.ts', withBanner ? `import './banner.ts'\n${MAIN}` : MAIN],
    ['/shop/src/banner.ts', BANNER],
    ['/shop/src/cart/recalc.ts', RECALC],
    ['/shop/src/cart/price.ts', PRICE],
  ])
  const bundle = await rolldown({
    input: '/shop/src/main.ts',
    plugins: [
      {
        name: 'sources in memory',
        resolveId: (id, from) => (from === undefined ? id : new URL(id, `file://${from}`).pathname),
        load: (id) => sources.get(id),
      },
    ],
  })
  const { output } = await bundle.generate({
    format: 'esm',
    minify: true,
    sourcemap: true,
    dir: '/shop/dist',
  })
  await bundle.close()
  const { code, map } = output[0]
  const bytes = new TextEncoder().encode(JSON.stringify(map))
  return { url, code, map: bytes, characterOf: (name) => characterIn(code, bytes, name) }
}

/** Where a function of the source begins in the bundle, as long animation frames tell. */
export function characterIn(code: string, bytes: Uint8Array, name: string): number {
  const map = readSourceMap(bytes)
  const wanted = new RegExp(`function ${name}\\(`)
  for (const { index } of code.matchAll(/\(/g)) {
    const { line, column } = placeAt(code, index)
    const found = map.lookUp(line, column)
    const text = found?.source.content?.split('\n')[found.line] ?? ''
    if (wanted.test(text) && /function [\w$]+$/.test(code.slice(0, index))) return index
  }
  throw new Error(`no function ${name} in ${code}`)
}

function placeAt(code: string, character: number): { line: number; column: number } {
  const before = code.slice(0, character).split('\n')
  return { line: before.length - 1, column: before.at(-1)!.length }
}

export type Uploads = {
  /** By debug id, as bundler plugins upload. */
  readonly byDebugId?: ReadonlyMap<string, BuiltFile>
  /** By release and path. */
  readonly byRelease?: ReadonlyMap<string, readonly BuiltFile[]>
  /** Maps of style sheets, by path. */
  readonly styles?: ReadonlyMap<string, Uint8Array>
  /** A source that is not the application's own. */
  readonly library?: string
}

/** Looks up and reads as uploads are; remembers what it was asked. */
export function resolverOf({
  byDebugId = new Map(),
  byRelease = new Map(),
  styles = new Map(),
  library = '',
}: Uploads) {
  const asked: CodePosition[][] = []
  const resolve = ({ url, debugId, release, at }: CodePosition): SourcePosition => {
    const path = URL.parse(url)?.pathname ?? url
    const style = styles.get(path)
    if (style && 'styleText' in at) {
      const named = findText(readSourceMap(style).sources, at.styleText)
      const source = sourceName(named?.source.path ?? null)
      if (!named || source === undefined) return { ok: false, problem: 'no_position' }
      return { ok: true, source, line: named.line + 1, column: 1, isInApp: true }
    }
    const ofRelease = byRelease.get(release ?? '') ?? []
    const file = byDebugId.get(debugId ?? '') ?? ofRelease.find((each) => each.url.endsWith(path))
    if (!file) {
      if (debugId !== undefined) return { ok: false, problem: 'no_artifact', detail: debugId }
      return { ok: false, problem: release === undefined ? 'no_debug_id' : 'no_release_files' }
    }
    if ('styleText' in at) return { ok: false, problem: 'no_such_file' }
    if ('component' in at) {
      const { sources } = readSourceMap(file.map)
      const declared = findDeclaration(sources, { name: at.component, file: at.file })
      const source = sourceName(declared?.source.path ?? null)
      if (!declared || source === undefined) return { ok: false, problem: 'no_position' }
      return { ok: true, source, line: (declared.line ?? 0) + 1, column: 1, isInApp: true }
    }
    if ('character' in at && at.character >= file.code.length) return { ok: false, problem: 'other_file' }
    const { line, column } =
      'character' in at ? placeAt(file.code, at.character) : { line: at.line - 1, column: at.column - 1 }
    const map = readSourceMap(file.map)
    const found = map.lookUp(line, column)
    const source = found && sourceName(found.source.path)
    if (!found || source === undefined) return { ok: false, problem: 'no_position' }
    const name = functionName(map, createFunctionIndex(file.code), line, column)
    return {
      ok: true,
      source,
      line: found.line + 1,
      column: found.column + 1,
      ...(name && { functionName: name }),
      isInApp: source !== library,
    }
  }
  const resolvePositions: ResolvePositions = async (positions) => {
    asked.push([...positions])
    return positions.map(resolve)
  }
  return { resolvePositions, asked }
}
