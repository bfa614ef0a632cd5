/**
 * Builds what is published: `packages/{browser,react,sentry-integration,tunnel,cli,vite-plugin}/dist`, one module per export and
 * program, and types of the exports. Private packages such as `@sonde/protocol` go into the bundle; whatever else a package depends on
 * stays an import.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { emitTypes } from './package-types.ts'

export const PUBLISHED = ['browser', 'react', 'sentry-integration', 'tunnel', 'cli', 'vite-plugin'] as const

type Manifest = {
  readonly exports: Record<string, { readonly '@sonde/source': string }>
  /** Name of the program → `./dist/main.js`, built from `./src/main.ts`. */
  readonly bin?: Record<string, string>
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
    const programs = Object.values(manifest.bin ?? {}).map((built) =>
      built.replace('./dist/', './src/').replace(/\.js$/, '.ts'),
    )
    await bundle(dir, manifest, [...sources, ...programs])
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
    platform: manifest.bin ? 'node' : 'neutral',
    external: [/^node:/, ...external.flatMap((name) => [name, new RegExp(`^${name}/`)])],
    resolve: { conditionNames: ['@sonde/source', 'import'] },
    // Programs wait at their top.
    transform: { target: manifest.bin ? 'es2022' : 'es2020' },
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
