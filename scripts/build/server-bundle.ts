/**
 * Bundles the server, the screens' part of it included. Production does not run the `.ts` sources: stripping types at run time costs each process
 * about 20 MB, and hundreds of small files cost start time.
 */
import { join } from 'node:path'
import { SERVER_ENTRY, sondeServerRoutes } from '@sonde/router/vite'
import { rolldown } from 'rolldown'
import { writeAsAscii } from './ascii-files.ts'
import { demanglerFile } from './demangler-file.ts'
import { readerFiles } from './reader-files.ts'
import { undiciParts } from './undici-parts.ts'

/** Separate files, because separate processes and threads start from them. */
const ENTRIES = {
  sonde: 'src/sonde.ts',
  back: 'src/back/main.ts',
  'processing-worker': 'src/back/processing-worker.ts',
  'inspect-worker': 'src/back/inspect-worker.ts',
  'console-process': 'src/back/console-process.ts',
  'backup-process': 'src/backup/backup-process.ts',
} as const
// Native code cannot be bundled; Vite serves development only, which runs the sources. Both stay in node_modules.
const EXTERNAL = [/^node:/, /^chdb(\/|$)/, /^@chdb\//, 'vite']

export async function buildServer(root: string, outDir: string): Promise<void> {
  const server = join(root, 'packages', 'server')
  const entries = Object.entries(ENTRIES).map(([name, path]) => [name, join(server, path)])
  const bundle = await rolldown({
    input: { ...Object.fromEntries(entries), screens: SERVER_ENTRY },
    cwd: server,
    platform: 'node',
    external: EXTERNAL,
    resolve: { conditionNames: ['@sonde/source', 'node', 'default'] },
    plugins: [
      demanglerFile(),
      readerFiles(),
      undiciParts(join(server, 'package.json')),
      sondeServerRoutes({ root: join(root, 'packages', 'web'), routesDir: 'src/routes' }),
    ],
    onLog(level, log, report) {
      if (level === 'warn' && log.code === 'UNRESOLVED_IMPORT') report('error', log)
      // React's packages mark modules for bundlers that know its server components.
      else if (level !== 'info' && log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log)
    },
  })
  const { output } = await bundle.write({
    dir: outDir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Nobody reads them there, and each process and thread keeps the text of what it runs.
    comments: { legal: true, annotation: false, jsdoc: false },
    sourcemap: true,
  })
  await bundle.close()
  writeAsAscii(output.filter(({ type }) => type === 'chunk').map(({ fileName }) => join(outDir, fileName)))
}
