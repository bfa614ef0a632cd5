/**
 * Bundles the server. Production does not run the `.ts` sources: stripping types at run time costs each process
 * about 20 MB, and hundreds of small files cost start time.
 */
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** Separate files, because separate processes and threads start from them. */
const ENTRIES = {
  sonde: 'src/sonde.ts',
  back: 'src/back/main.ts',
  'digest-worker': 'src/back/digest-worker.ts',
  'inspect-worker': 'src/back/inspect-worker.ts',
  'console-process': 'src/back/console-process.ts',
} as const
// Native code cannot be bundled; Vite serves development only, which runs the sources. Both stay in node_modules.
const EXTERNAL = [/^node:/, /^chdb(\/|$)/, /^@chdb\//, 'vite']

export async function buildServer(root: string, outDir: string): Promise<void> {
  const server = join(root, 'packages', 'server')
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, join(server, path)])),
    cwd: server,
    platform: 'node',
    external: EXTERNAL,
    onLog(level, log, report) {
      if (level === 'warn' && log.code === 'UNRESOLVED_IMPORT') report('error', log)
      else if (level !== 'info') report(level, log)
    },
  })
  await bundle.write({
    dir: outDir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    sourcemap: true,
  })
  await bundle.close()
}
