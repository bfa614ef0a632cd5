/**
 * Fails on a file that nothing reaches, on an exported value that no other file imports (drop the `export`, or the code), and
 * on an exported type that is used nowhere. A type that is only named in the signatures of its own file may stay exported,
 * and tests count as users.
 */
import { basename, dirname, join } from 'node:path'
import { type Module, readModule } from './modules.ts'

export type Published = {
  readonly name?: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

/** Loaded by where they lie or from outside: routes, tests, configurations, and the programs of these folders. */
const ENTRIES =
  /^(scripts|bench|tests|examples)\/|^packages\/[^/]+\/(test|size)\/|\.config\.ts$|^packages\/web\/src\/routes\/(.*\/)?(page|layout)(\.server)?\.tsx?$/

/** `files`: path from the root → text. `manifests`: folder from the root → its package.json. */
export function checkDeadCode(
  files: ReadonlyMap<string, string>,
  manifests: ReadonlyMap<string, Published>,
): string[] {
  const modules = new Map([...files].map(([path, text]) => [path, readModule(path, text)]))
  const { open, entries } = exportedFiles(manifests)
  const users = usersOf(modules, open)
  const problems: string[] = []
  for (const [path, { exports }] of modules) {
    if (ENTRIES.test(path) || entries.has(path)) continue
    const names = users.get(path)
    if (names === undefined) {
      // Started as a program or a worker, or given to a bundler: by its name in a string.
      if (![...files].some(([other, text]) => other !== path && isNamedIn(text, basename(path))))
        problems.push(`${path}: nothing imports this file`)
      continue
    }
    if (names.has('*')) continue
    for (const { name, isType, isReExport } of exports) {
      if (names.has(name) || (isType && isReExport)) continue
      const isUsedHere = (files.get(path)?.split(new RegExp(`\\b${name}\\b`)).length ?? 0) > 2
      if (isType && isUsedHere) continue
      problems.push(
        `${path}: no other file imports ${name}${isUsedHere && !isReExport ? ', so it needs no export' : ''}`,
      )
    }
  }
  return problems
}

/** At the end of a string, or before what Vite is to make of it: `./worker.ts?worker&url`. */
const isNamedIn = (text: string, name: string): boolean =>
  text.includes(`${name}'`) || text.includes(`${name}?`)

/** `open`: what a package's name with a subpath means. `entries`: the files that strangers import. */
function exportedFiles(manifests: ReadonlyMap<string, Published>) {
  const open = new Map<string, string>()
  const entries = new Set<string>()
  for (const [folder, manifest] of manifests)
    for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
      const file = join(folder, typeof target === 'string' ? target : (target['@sonde/source'] ?? ''))
      open.set(`${manifest.name}${subpath.slice(1)}`, file)
      if (manifest.private !== true) entries.add(file)
    }
  return { open, entries }
}

/** File → the names that others import from it; `*` is all of them. What goes through an index arrives at its origin. */
function usersOf(
  modules: ReadonlyMap<string, Module>,
  open: ReadonlyMap<string, string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const users = new Map<string, Set<string>>()
  const targetOf = (path: string, from: string): string | undefined =>
    from.startsWith('.') ? join(dirname(path), from) : open.get(from)
  const use = (path: string, name: string): void => {
    const names = users.get(path) ?? new Set()
    if (names.has(name)) return
    users.set(path, names.add(name))
    // `export * from`: the name may be of any of them.
    for (const one of modules.get(path)?.imports ?? []) {
      const target = one.isReExport && one.names === undefined ? targetOf(path, one.from) : undefined
      if (target !== undefined) use(target, name)
    }
  }
  for (const [path, { imports }] of modules)
    for (const { from, names, isReExport } of imports) {
      const target = targetOf(path, from)
      if (target === undefined || !modules.has(target)) continue
      if (!users.has(target)) users.set(target, new Set())
      if (names !== undefined) for (const name of names) use(target, name)
      else if (!isReExport) use(target, '*')
    }
  return users
}
