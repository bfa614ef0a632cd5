/**
 * Builds what is published: `packages/{browser,react,tunnel}/dist`, one ES2020 module per export and its types.
 * `@sonde/protocol` is private and goes into the bundle; whatever else a package depends on stays an import.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { emitTypes } from './package-types.ts'

export const PUBLISHED = ['browser', 'react', 'tunnel'] as const

type Manifest = {
  readonly exports: Record<string, { readonly '@sonde/source': string }>
  readonly dependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
}

/** Fills `dist` of each package. Throws with what the compiler says. */
export async function buildBrowserPackages(root: string): Promise<void> {
  for (const name of PUBLISHED) {
    const dir = join(root, 'packages', name)
    const manifest = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Manifest
    rmSync(join(dir, 'dist'), { recursive: true, force: true })
    const sources = Object.values(manifest.exports).map((one) => one['@sonde/source'])
    await bundle(dir, manifest, sources)
    emitTypes(root, name, sources)
  }
}

async function bundle(dir: string, manifest: Manifest, sources: readonly string[]): Promise<void> {
  const external = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
  const built = await rolldown({
    input: Object.fromEntries(
      sources.map((path) => [path.replace(/^\.\/src\/|\.tsx?$/g, ''), join(dir, path)]),
    ),
    cwd: dir,
    platform: 'neutral',
    external: [/^node:/, ...external.flatMap((name) => [name, new RegExp(`^${name}/`)])],
    resolve: { conditionNames: ['@sonde/source', 'import'] },
    transform: { target: 'es2020' },
    onLog(level, log) {
      if (level === 'warn') throw new Error(`${dir}: ${log.message}`)
    },
  })
  await built.write({
    dir: join(dir, 'dist'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    sourcemap: true,
  })
  await built.close()
}
