/** Builds the browser's files of the screens, compressed ahead. Their server code is in the server's bundle. */
import { join } from 'node:path'
import { buildPages } from '@sonde/router/vite'

/** Fills `outDir` with `client/` and `build.json`. */
export async function buildWeb(root: string, outDir: string): Promise<void> {
  const web = join(root, 'packages', 'web')
  await buildPages({ root: web, configFile: join(web, 'vite.config.ts'), outDir })
}
