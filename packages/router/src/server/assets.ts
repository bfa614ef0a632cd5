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
  }
}

function urls(paths: readonly string[]): string[] {
  return [...new Set(paths)].map((path) => `/${path}`)
}

/** In development nothing is preloaded, and Vite's own client takes over the styles. */
export function devAssets(entry: string, inlineStyles?: NonNullable<Assets['inlineStyles']>): Assets {
  return { entry, forFiles: () => ({ styles: [], preloads: [] }), ...(inlineStyles ? { inlineStyles } : {}) }
}
