/** A page's script, from TypeScript, as an app's bundler would make it. */
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const ENTRY = '\0page.ts'
const bundles = new Map<string, Promise<string>>()

/**
 * `source` is TypeScript; it may import `@sonde/browser` and other packages, and files by absolute path. Bundled once
 * per source and process. Rejects when an import cannot be resolved.
 */
export function bundlePage(source: string, options: BundleOptions = {}): Promise<string> {
  const key = JSON.stringify([source, options])
  const known = bundles.get(key) ?? build(source, options)
  bundles.set(key, known)
  return known
}

export type BundleOptions = {
  readonly minify?: boolean
  /** Package names that stand for others: another version of a library. */
  readonly alias?: Record<string, string>
  /** Of a module for another bundler `esm`, with these packages left to it. */
  readonly format?: 'iife' | 'esm'
  readonly external?: string[]
}

async function build(
  source: string,
  { minify = false, alias = {}, format = 'iife', external = [] }: BundleOptions,
): Promise<string> {
  const bundle = await rolldown({
    input: ENTRY,
    cwd: ROOT,
    platform: 'browser',
    external,
    resolve: {
      alias,
      conditionNames: ['@sonde/source', 'import', 'browser', 'default'],
    },
    transform: { target: 'es2020', define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [
      {
        name: 'page',
        resolveId: (id, importer) => (id === ENTRY ? id : importer === ENTRY ? undefined : null),
        load: (id) => (id === ENTRY ? { code: source, moduleType: 'tsx' } : null),
      },
    ],
    onLog(level, log, report) {
      if (level === 'warn' && log.code === 'UNRESOLVED_IMPORT') report('error', log)
      // Of libraries that also run on servers and in development.
      else if (!/^(MODULE_LEVEL_DIRECTIVE|EMPTY_IMPORT_META)$/.test(log.code ?? '') && level !== 'info')
        report(level, log)
    },
  })
  const { output } = await bundle.generate({ format, minify, codeSplitting: false })
  await bundle.close()
  return output[0].code
}
