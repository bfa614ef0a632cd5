/** Reads what the checks look at, once for all of them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Published } from './dead-code.ts'
import type { Declared } from './dependencies.ts'
import { sourceFiles } from './sources.ts'

export type Repository = {
  /** Path from the root → text. */
  readonly sources: ReadonlyMap<string, string>
  readonly styles: ReadonlyMap<string, string>
  readonly pages: ReadonlyMap<string, string>
  /** Folder from the root, '' for the root itself → its package.json. */
  readonly manifests: ReadonlyMap<string, Declared & Published>
  readonly exists: (path: string) => boolean
}

/** Applications of other people's tools, with a lock file of their own. */
const FOREIGN = 'tests/stock-tools/apps/'

export function loadRepository(root: string): Repository {
  const read = (paths: readonly string[]) =>
    new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const))
  const below = (folder: string, pattern: RegExp): string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      .filter((path) => pattern.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
  const folders = ['packages', 'examples'].flatMap((area) =>
    readdirSync(join(root, area)).map((name) => `${area}/${name}`),
  )
  const manifests = ['', ...folders]
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => {
      const text = readFileSync(join(root, folder, 'package.json'), 'utf8')
      return [folder, JSON.parse(text) as Declared & Published] as const
    })
  const rootPages = readdirSync(root).filter((name) => name.endsWith('.md'))
  return {
    sources: read(sourceFiles(root).filter((path) => !path.startsWith(FOREIGN))),
    styles: read(below('packages', /\.css$/)),
    pages: read([...rootPages, ...['docs', 'bench', 'tests'].flatMap((folder) => below(folder, /\.md$/))]),
    manifests: new Map(manifests),
    exists: (path) => existsSync(join(root, path)),
  }
}
