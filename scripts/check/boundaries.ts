/**
 * Fails when an import, also one of types, is not in the table of docs/architecture.md, goes deeper than a package's `exports`,
 * is not declared in its package.json, closes a cycle, or leaves a frozen grouping version (`group/vN`); or when a
 * transaction of the records is begun past `writeTransaction`.
 */
import { readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { readModule } from './modules.ts'
import { sourceFiles } from './sources.ts'

export type Manifest = {
  exports: Record<string, string>
  dependencies?: Record<string, string>
  /** A published package is built into one file: what it needs only for that is none of its users' business. */
  devDependencies?: Record<string, string>
  private?: boolean
}
export type Project = {
  /** Path from the root → text. */
  readonly files: ReadonlyMap<string, string>
  readonly manifests: ReadonlyMap<string, Manifest>
  readonly table: ReadonlyMap<string, readonly string[]>
}

/** Reads the rows `| `name` | purpose | imports |` below the heading "Packages". */
export function readTable(markdown: string): Map<string, string[]> {
  const table = new Map<string, string[]>()
  for (const row of markdown.matchAll(/^\| `([a-z-]+)`[^|]*\|[^|]*\|([^|]*)\|/gm)) {
    const [, name = '', imports = ''] = row
    table.set(
      name,
      imports.trim() === 'everything' ? ['*'] : [...imports.matchAll(/`([a-z-]+)`/g)].map((m) => m[1] ?? ''),
    )
  }
  return table
}

/** What repeats a transaction that an engine broke off, so all of them pass through it. */
const TRANSACTIONS = 'packages/stores/src/records/write-transaction.ts'

export function checkBoundaries({ files, manifests, table }: Project): string[] {
  const problems: string[] = []
  const edges = new Map<string, string[]>()
  for (const [path, text] of files) {
    const [, from = '', area = ''] = /^packages\/([^/]+)\/([^/]+)/.exec(path) ?? []
    if (!table.has(from))
      problems.push(`${path}: package "${from}" is not in the table of docs/architecture.md`)
    if (/\.transaction\(\)/.test(text) && path !== TRANSACTIONS)
      problems.push(`${path}: begins a transaction itself; use writeTransaction of @sonde/stores`)
    for (const { from: wanted, isType } of readModule(path, text).imports) {
      if (wanted.startsWith('.')) {
        const target = relative('.', resolve(dirname(path), wanted))
        if (!isType) edges.set(path, [...(edges.get(path) ?? []), target])
        // What tests of several packages need to run.
        const isHarness = area === 'test' && target.startsWith('tests/harness/')
        if (!isHarness && !target.startsWith(`packages/${from}/`))
          problems.push(`${path}: reaches into another package by path (${wanted})`)
        const frozen = /^(.*\/group\/v\d+)\//.exec(path)?.[1]
        if (frozen && !target.startsWith(`${frozen}/`) && !isEarlier(target, frozen))
          problems.push(`${path}: frozen grouping imports living code (${wanted})`)
      } else if (wanted.startsWith('@sonde/')) {
        problems.push(...packageImport(path, from, area, wanted, manifests, table))
      }
    }
  }
  return [...problems, ...cycles(edges)]
}

function packageImport(
  path: string,
  from: string,
  area: string,
  wanted: string,
  manifests: ReadonlyMap<string, Manifest>,
  table: ReadonlyMap<string, readonly string[]>,
): string[] {
  const [, to = '', ...rest] = wanted.split('/')
  const problems: string[] = []
  const allowed = table.get(from) ?? []
  if (area === 'src' && to !== from && !allowed.includes('*') && !allowed.includes(to)) {
    problems.push(`${path}: ${from} may not import ${to} (docs/architecture.md)`)
  }
  const subpath = rest.length === 0 ? '.' : `./${rest.join('/')}`
  if (!manifests.get(to)?.exports[subpath])
    problems.push(`${path}: ${wanted} is not among the exports of ${to}`)
  if (area === 'src' && to !== from && !declared(manifests.get(from), `@sonde/${to}`)) {
    problems.push(`${path}: ${wanted} is not a dependency in packages/${from}/package.json`)
  }
  if (wanted === '@sonde/access/grant' && area === 'src' && from !== 'access') {
    problems.push(`${path}: only access makes grants (G7)`)
  }
  return problems
}

function declared(manifest: Manifest | undefined, name: string): boolean {
  if (manifest?.dependencies?.[name]) return true
  return manifest?.private !== true && manifest?.devDependencies?.[name] !== undefined
}

/** Of what is imported when the program runs; types.ts has those of types. */
function cycles(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const walk = (node: string, path: string[]): void => {
    if (path.includes(node)) {
      found.push(`cycle: ${[...path.slice(path.indexOf(node)), node].join(' → ')}`)
      return
    }
    if (done.has(node)) return
    for (const next of edges.get(node) ?? []) walk(next, [...path, node])
    done.add(node)
  }
  for (const node of edges.keys()) walk(node, [])
  return found
}

export function loadProject(root: string): Project {
  const files = new Map<string, string>()
  const manifests = new Map<string, Manifest>()
  for (const path of sourceFiles(root)) {
    if (!path.startsWith('packages/')) continue
    files.set(path, readFileSync(resolve(root, path), 'utf8'))
    const name = path.split('/')[1] ?? ''
    if (!manifests.has(name)) {
      manifests.set(
        name,
        JSON.parse(readFileSync(resolve(root, `packages/${name}/package.json`), 'utf8')) as Manifest,
      )
    }
  }
  return { files, manifests, table: readTable(readFileSync(resolve(root, 'docs/architecture.md'), 'utf8')) }
}

/** A version may be made of those before it: they are frozen too. */
const isEarlier = (target: string, frozen: string): boolean => {
  const [, folder, version] = /^(.*\/group\/)v(\d+)\//.exec(target) ?? []
  return (
    folder !== undefined &&
    frozen.startsWith(folder) &&
    Number(version) < Number(frozen.slice(folder.length + 1))
  )
}
