/** What a file imports and exports, types included, as a parser sees it: text in a template string is no import. */
import { parseSync } from 'oxc-parser'

export type Import = {
  /** As written: `./x.ts`, `@sonde/base`, `react`. */
  readonly from: string
  readonly isType: boolean
  /** Undefined: everything, as with `import * as x`, `export * from` and `import()`. */
  readonly names: readonly string[] | undefined
  /** `export … from`: the names go on to whoever imports this file. */
  readonly isReExport: boolean
}
export type Module = { readonly imports: readonly Import[]; readonly exports: readonly Export[] }
export type Export = { readonly name: string; readonly isType: boolean; readonly isReExport: boolean }

const seen = new Map<string, Module>()

/** Remembered by its text: several checks ask for the same file. */
export function readModule(path: string, text: string): Module {
  const key = `${path}\n${text}`
  const known = seen.get(key)
  if (known) return known
  const { module, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const imports: Import[] = module.staticImports.map(({ moduleRequest, entries }) => ({
    from: moduleRequest.value,
    isType: entries.length > 0 ? entries.every((one) => one.isType) : isTypeOnly(text, moduleRequest.start),
    names: entries.some((one) => is(one.importName.kind, 'NamespaceObject'))
      ? undefined
      : entries.map((one) => one.importName.name ?? 'default'),
    isReExport: false,
  }))
  const exports: Export[] = []
  for (const entry of module.staticExports.flatMap((one) => one.entries)) {
    if (entry.moduleRequest) {
      const name = entry.importName.name
      const names = name === null ? undefined : [name]
      imports.push({ from: entry.moduleRequest.value, isType: entry.isType, names, isReExport: true })
    }
    if (!is(entry.exportName.kind, 'None'))
      exports.push({
        name: entry.exportName.name ?? 'default',
        isType: entry.isType,
        isReExport: entry.moduleRequest !== null,
      })
  }
  const dynamic = new Set(module.dynamicImports.map(({ moduleRequest }) => moduleRequest.start))
  for (const found of text.matchAll(/\bimport\(\s*(['"])([^'"\n]+)\1\s*\)/g)) {
    const start = found.index + found[0].indexOf(found[1] ?? '')
    // A type such as `import('x').Y` is no expression; text in a template or a comment is neither.
    if (dynamic.has(start))
      imports.push({ from: found[2] ?? '', isType: false, names: undefined, isReExport: false })
  }
  const read = { imports, exports }
  seen.set(key, read)
  return read
}

/** The parser's enums are strings. */
const is = (kind: string, wanted: string): boolean => kind === wanted

/** `import type {} from`, which has no names. */
const isTypeOnly = (text: string, at: number): boolean => /import\s+type\b[^'"]*$/.test(text.slice(0, at))
