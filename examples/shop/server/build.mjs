/** Builds the shop as one release into a folder: `buildShop({ release, outDir })`. */
import { join } from 'node:path'
import { build } from 'vite'

const ROOT = join(import.meta.dirname, '..')

export async function buildShop({ release, outDir }) {
  process.env.RELEASE = release
  await build({
    root: ROOT,
    configFile: join(ROOT, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
  })
  return outDir
}
