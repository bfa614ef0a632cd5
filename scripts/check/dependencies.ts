/**
 * Holds every package.json to what the package imports, types included: nothing undeclared, nothing that is not used. npm
 * puts all packages into one folder, so an undeclared one works here, and breaks for whoever installs the package alone.
 */
import { readModule } from './modules.ts'

export type Declared = {
  readonly private?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** Used without an import, or by something that is none of our sources. */
export const USED_OTHERWISE: Readonly<Record<string, string>> = {
  'swagger-ui-dist': 'its files are served: packages/api/src/openapi/reader-files.ts',
  node: 'the Node 24 that everything runs on',
  oxfmt: 'a program that checks run',
  oxlint: 'a program that checks run',
  'oxlint-tsgolint': 'oxlint --type-aware needs it',
  typescript: 'a program that checks run',
  '@changesets/cli': 'a program that packages-version.ts runs',
  dclint: 'the schema of Compose files that it brings',
  'axe-core': 'a script that tests put into a page',
  '@sentry/profiling-node': 'a program of the compat tests requires it',
  'react-router-7': 'tests build it for the name react-router',
  '@tanstack/react-router': 'tests build a page with it',
  '@angular/common': 'tests build a page with it',
  '@angular/compiler': 'tests build a page with it',
  '@angular/core': 'tests build a page with it',
  '@angular/platform-browser': 'tests build a page with it',
  '@angular/router': 'tests build a page with it',
  rxjs: 'Angular is built on it',
  vue: 'tests build a page with it',
  'vue-router': 'tests build a page with it',
  '@tanstack/query-core': 'tests build a page with it',
  swr: 'tests build a page with it',
  '@types/mailparser': 'types',
  '@types/node': 'types',
  '@types/nodemailer': 'types',
  '@types/oidc-provider': 'types',
  '@types/pg': 'types',
  '@types/react': 'types',
  '@types/react-dom': 'types',
  '@types/smtp-server': 'types',
  '@types/yauzl': 'types',
  '@types/yazl': 'types',
}

/** `files`: path from the root → text. `manifests`: folder from the root ('' is the root) → its package.json. */
export function checkDependencies(
  files: ReadonlyMap<string, string>,
  manifests: ReadonlyMap<string, Declared>,
): string[] {
  const root = manifests.get('') ?? {}
  const problems = new Set<string>()
  const used = new Map<string, Set<string>>()
  for (const [path, text] of files) {
    const folder = folderOf(path, manifests)
    const mine = used.get(folder) ?? new Set()
    used.set(folder, mine)
    for (const { from } of readModule(path, text).imports) {
      const name = packageOf(from)
      if (name === undefined) continue
      mine.add(name)
      if (isDeclared(name, path, folder, manifests.get(folder) ?? {}, root)) continue
      problems.add(`${folder || '.'}/package.json does not declare ${name}, which ${path} imports`)
    }
  }
  for (const [folder, manifest] of manifests) {
    const names = new Set(used.get(folder))
    // What the root declares is there for the tests of all.
    if (folder === '') for (const others of used.values()) for (const name of others) names.add(name)
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }))
      if (!names.has(name) && !USED_OTHERWISE[name])
        problems.add(`${folder || '.'}/package.json declares ${name}, which nothing imports`)
  }
  return [...problems].sort()
}

function isDeclared(name: string, path: string, folder: string, mine: Declared, root: Declared): boolean {
  if (mine.dependencies?.[name] !== undefined || mine.peerDependencies?.[name] !== undefined) return true
  // boundaries.ts looks at our own packages.
  if (name.startsWith('@sonde/')) return true
  const isProduct = /^packages\/[^/]+\/src\//.test(path)
  // A published package is built into one file: what goes into it is no dependency of its users.
  if (isProduct) return mine.private !== true && mine.devDependencies?.[name] !== undefined
  return [mine.devDependencies, root.dependencies, root.devDependencies].some(
    (list) => list?.[name] !== undefined,
  )
}

/** The folder of the nearest package.json above. */
function folderOf(path: string, manifests: ReadonlyMap<string, Declared>): string {
  const parts = path.split('/')
  while (parts.length > 0 && !manifests.has(parts.join('/'))) parts.pop()
  return parts.join('/')
}

function packageOf(specifier: string): string | undefined {
  if (/^(\.|node:|virtual:|\0|#)/.test(specifier)) return undefined
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
