import type { EnvironmentModuleNode, ViteDevServer } from 'vite'

/** Which files a page needs in the browser, from the manifest of Vite's client build. */

/** Shape of one entry of `.vite/manifest.json` (vite.dev/guide/backend-integration). */
export type ManifestChunk = {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
  readonly isEntry?: boolean
}

export type Assets = {
  /** URL of the module that hydrates the page. */
  readonly entry: string
  /** Style sheets and modules for the route files, shared ones included. */
  forFiles(files: readonly string[]): { readonly styles: string[]; readonly preloads: string[] }
  /** URL of a route file's module; undefined when the browser has none of it. */
  urlOf(file: string): string | undefined
  /** Development: the styles themselves, so that the first paint has them before any script has run. */
  inlineStyles?(files: readonly string[]): Promise<readonly InlineStyle[]>
}

/** `id` is by which Vite's client finds it again when the file is edited. */
export type InlineStyle = { readonly id: string; readonly css: string }

/** @throws when the manifest has no entry */
export function assetsFromManifest(manifest: Readonly<Record<string, ManifestChunk>>): Assets {
  const found = Object.entries(manifest).find(([, chunk]) => chunk.isEntry)
  if (!found) throw new Error('the client manifest has no entry; build the client with sondeRouter()')
  const [entryKey, entry] = found
  return {
    entry: `/${entry.file}`,
    forFiles(files) {
      const keys = new Set<string>()
      const visit = (key: string): void => {
        if (keys.has(key)) return
        keys.add(key)
        for (const imported of manifest[key]?.imports ?? []) visit(imported)
      }
      for (const key of [entryKey, ...files]) visit(key)
      const chunks = [...keys].flatMap((key) => manifest[key] ?? [])
      return {
        styles: urls(chunks.flatMap((chunk) => chunk.css ?? [])),
        preloads: urls(chunks.map((chunk) => chunk.file)),
      }
    },
    urlOf: (file) => manifest[file] && `/${manifest[file].file}`,
  }
}

function urls(paths: readonly string[]): string[] {
  return [...new Set(paths)].map((path) => `/${path}`)
}

/** In development nothing is preloaded, and Vite's own client takes over the styles. */
export function devAssets(entry: string, inlineStyles?: NonNullable<Assets['inlineStyles']>): Assets {
  return {
    entry,
    forFiles: () => ({ styles: [], preloads: [] }),
    // As Vite names them in the modules that import them.
    urlOf: (file) => `/${file}`,
    ...(inlineStyles ? { inlineStyles } : {}),
  }
}

const STYLE_FILE = /\.(css|scss|sass|less|styl|pcss)$/

/**
 * The styles that a page's modules import, for the HTML of development: without them the page would be painted bare
 * until its scripts have run. Vite's client adopts them by their id, so an edit changes them in place.
 * @param modules URLs of the page's modules, below Vite's root. A module that does not compile has no styles.
 */
export async function collectStyles(
  { environments }: Pick<ViteDevServer, 'environments'>,
  modules: readonly string[],
): Promise<InlineStyle[]> {
  const { client } = environments
  const seen = new Set<string>()
  const styles: InlineStyle[] = []
  const add = async (url: string, id: string): Promise<void> => {
    const direct = await client.transformRequest(`${url}?direct`)
    if (direct) styles.push({ id, css: direct.code })
  }
  const visit = async (url: string): Promise<void> => {
    if (seen.has(url)) return
    seen.add(url)
    if (STYLE_FILE.test(url)) return add(url, (await client.moduleGraph.getModuleByUrl(url))?.id ?? url)
    await client.transformRequest(url)
    const module = await client.moduleGraph.getModuleByUrl(url)
    // In order: a later sheet wins over an earlier one.
    for (const imported of importsOf(module)) await visit(imported)
  }
  for (const url of modules) await visit(url).catch(() => {})
  return styles
}

/** Not the table of routes, which leads to every page, nor what packages import. */
function importsOf(module: EnvironmentModuleNode | undefined): string[] {
  return [...(module?.importedModules ?? [])]
    .map(({ url }) => url)
    .filter((url) => !/^(\/@|virtual:|\0)|\/node_modules\//.test(url) || STYLE_FILE.test(url))
}
