/**
 * Files that need each other's types: none of them can be read, moved or tested by itself. Values are held to this by
 * boundaries.ts without an exception; types have some from before, which may only become fewer.
 */
import { dirname, join } from 'node:path'
import { readModule } from './modules.ts'

/** Package → how many groups of such files it still has. */
export const KNOWN_TYPE_CYCLES: Readonly<Record<string, number>> = {
  access: 1,
  browser: 1,
  commands: 1,
  examples: 1,
  ingest: 1,
  pipeline: 2,
  queries: 3,
  router: 2,
  stores: 3,
  web: 1,
}

/** `files`: path from the root → text. */
export function checkTypeCycles(
  files: ReadonlyMap<string, string>,
  known: Readonly<Record<string, number>> = KNOWN_TYPE_CYCLES,
): string[] {
  const byPackage = new Map<string, string[]>()
  for (const group of cyclesOf(files)) {
    const [area = '', name = ''] = (group[0] ?? '').split('/')
    const owner = area === 'packages' ? name : area
    byPackage.set(owner, [...(byPackage.get(owner) ?? []), group.join(' ↔ ')])
  }
  const owners = new Set([...byPackage.keys(), ...Object.keys(known)])
  return [...owners].sort().flatMap((owner) => {
    const found = byPackage.get(owner) ?? []
    const allowed = known[owner] ?? 0
    if (found.length > allowed)
      return [
        `${owner}: ${found.length} groups of files need each other's types (${allowed} are known):`,
        ...found,
      ]
    return found.length < allowed
      ? [
          `${owner}: ${found.length} groups are left: write that into KNOWN_TYPE_CYCLES of scripts/check/type-cycles.ts`,
        ]
      : []
  })
}

/** Strongly connected components of more than one file: https://en.wikipedia.org/wiki/Tarjan%27s_algorithm */
function cyclesOf(files: ReadonlyMap<string, string>): string[][] {
  const groups: string[][] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const visit = (file: string): void => {
    order.set(file, order.size)
    lowest.set(file, order.size - 1)
    open.push(file)
    for (const next of importsOf(file, files)) {
      if (!order.has(next)) visit(next)
      if (open.includes(next)) lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(next) ?? 0))
    }
    if (lowest.get(file) !== order.get(file)) return
    const group = open.splice(open.indexOf(file))
    if (group.length > 1) groups.push(group.sort())
  }
  for (const file of files.keys()) if (!order.has(file)) visit(file)
  return groups
}

function importsOf(file: string, files: ReadonlyMap<string, string>): string[] {
  return readModule(file, files.get(file) ?? '')
    .imports.filter(({ from }) => from.startsWith('.'))
    .map(({ from }) => join(dirname(file), from))
    .filter((target) => files.has(target))
}
