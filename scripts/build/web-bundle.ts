/** Builds the screens: the browser's files, compressed ahead, and the bundle that renders them on the server. */
import { join } from 'node:path'
import { buildPages } from '@sonde/router/vite'

/** Fills `outDir` with `client/`, `server/entry-server.js` and `build.json`. */
export async function buildWeb(root: string, outDir: string): Promise<void> {
  const web = join(root, 'packages', 'web')
  await buildPages({ root: web, configFile: join(web, 'vite.config.ts'), outDir })
}
