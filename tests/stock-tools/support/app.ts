/** A copy of one of the small applications, which a test may build, change and throw away. */
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureStockTools } from '../../../scripts/test/stock-tools.mjs'

export type AppName = 'shop' | 'spa' | 'next' | 'next-hydration' | 'server' | 'sveltekit' | 'astro'
export type App = {
  readonly folder: string
  /** What the build wrote. */
  readonly dist: string
  /** Paths below `dist`, sorted. */
  built(): readonly string[]
  remove(): void
}

/** It stands two folders below `tests/stock-tools`, as the original does: that is where its packages are found. */
export function copyApp(name: AppName): App {
  const cache = join(ensureStockTools(), '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, `${name}-`))
  cpSync(join(import.meta.dirname, '..', 'apps', name), folder, { recursive: true })
  const dist = join(folder, 'dist')
  return {
    folder,
    dist,
    built: () => readdirSync(dist, { recursive: true, encoding: 'utf8' }).sort(),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  }
}

/** For bundlers that make no page themselves: the page that loads what they made stands beside it. */
export function servePage({ folder, dist }: App): void {
  copyFileSync(join(folder, 'page.html'), join(dist, 'index.html'))
}

export type Place = { readonly line: number; readonly column: number; readonly text: string }

/** Where `words` stand in a source of an application: one-based, as frames are; `text` is the whole line. */
export function placeOf(app: AppName, path: string, words: string): Place {
  const lines = readFileSync(join(import.meta.dirname, '..', 'apps', app, path), 'utf8').split('\n')
  const at = lines.findIndex((line) => line.includes(words))
  const text = lines[at]
  if (text === undefined) throw new Error(`${path} of ${app} does not say "${words}"`)
  return { line: at + 1, column: text.indexOf(words) + 1, text }
}
