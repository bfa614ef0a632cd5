/** Where the other entries of this program lie: beside the bundle in production, in the sources in development. */
import { basename, dirname, join } from 'node:path'

export type ProgramFiles = {
  /** Started as the back process. */
  readonly back: string
  /** Started as a worker thread per core that processes events. */
  readonly processingWorker: string
  /** Started as the thread that looks at uploaded source maps. */
  readonly inspectWorker: string
  /** Started as the process in which statements of the SQL console run. */
  readonly consoleProcess: string
  /** Started as the process that copies for a backup. */
  readonly backupProcess: string
  /** The built screens; undefined in development, where Vite serves them from the sources. */
  readonly web: { readonly client: string; readonly server: string } | undefined
  /** The reporter for pages without a build. In development it is there only after `npm run build`. */
  readonly reporter: string
  /** The documentation. In development it is there only after `npm run build`. */
  readonly docs: string
  /** The sources of the screens; only there in development. */
  readonly webSources: string
}

export function programFiles(here = import.meta.dirname): ProgramFiles {
  if (import.meta.filename.endsWith('.ts')) {
    return {
      back: join(here, 'back', 'main.ts'),
      processingWorker: join(here, 'back', 'processing-worker.ts'),
      inspectWorker: join(here, 'back', 'inspect-worker.ts'),
      consoleProcess: join(here, 'back', 'console-process.ts'),
      backupProcess: join(here, 'backup', 'backup-process.ts'),
      web: undefined,
      reporter: join(here, '..', '..', '..', 'dist', 'reporter'),
      docs: join(here, '..', '..', '..', 'dist', 'docs'),
      webSources: join(here, '..', '..', 'web'),
    }
  }
  // Shared code is bundled into dist/server/chunks.
  const server = basename(here) === 'chunks' ? dirname(here) : here
  return {
    back: join(server, 'back.js'),
    processingWorker: join(server, 'processing-worker.js'),
    inspectWorker: join(server, 'inspect-worker.js'),
    consoleProcess: join(server, 'console-process.js'),
    backupProcess: join(server, 'backup-process.js'),
    web: { client: join(server, '..', 'web'), server: join(server, 'screens.js') },
    reporter: join(server, '..', 'reporter'),
    docs: join(server, '..', 'docs'),
    webSources: '',
  }
}
