/** Builds the shop as one release into a folder: `buildShop({ release, outDir })`. */
import { join } from 'node:path'
import { build } from 'vite'

const ROOT = join(import.meta.dirname, '..')

export async function buildShop({ release, outDir }) {
  process.env.RELEASE = release
  process.env.OUT_DIR = outDir
  await build({
    root: ROOT,
    configFile: join(ROOT, 'vite.config.ts'),
    logLevel: 'error',
  })
  // What the server needs to render a page: one file, with React in it.
  await build({
    root: ROOT,
    configFile: join(ROOT, 'vite.config.ts'),
    logLevel: 'error',
    build: {
      ssr: join(ROOT, 'src', 'opening', 'render.tsx'),
      outDir: join(outDir, 'server'),
      sourcemap: false,
      rolldownOptions: { output: { entryFileNames: 'render.mjs' } },
    },
    ssr: { noExternal: true },
  })
  return outDir
}
