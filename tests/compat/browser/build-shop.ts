/** Bundles the shop as Vite does by default: minified, with the content's hash in every file name, without maps. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'

export type BuiltShop = { readonly folder: string; readonly script: string; remove(): void }

/** The release is part of the code, so every release has other hashes. `root`: the folder of the page. */
export async function buildShop(
  release: string,
  root = join(import.meta.dirname, 'page'),
): Promise<BuiltShop> {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-shop-'))
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    define: { SHOP_RELEASE: JSON.stringify(release) },
    build: { outDir: folder, emptyOutDir: false },
  })
  const script = readdirSync(join(folder, 'assets')).find((name) => name.endsWith('.js'))
  if (script === undefined) throw new Error(`Vite built no script into ${folder}`)
  return { folder, script, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
