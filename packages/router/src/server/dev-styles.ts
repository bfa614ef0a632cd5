/**
 * The styles that a page's modules import, for the HTML of development: without them the page would be painted bare
 * until its scripts have run. Vite's client adopts them by their id, so an edit changes them in place.
 */
import type { EnvironmentModuleNode, ViteDevServer } from 'vite'
import type { InlineStyle } from './assets.ts'

const STYLE_FILE = /\.(css|scss|sass|less|styl|pcss)$/

/** @param urls of the page's modules, below Vite's root. A module that does not compile has no styles. */
export async function collectStyles(
  { environments }: Pick<ViteDevServer, 'environments'>,
  urls: readonly string[],
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
  for (const url of urls) await visit(url).catch(() => {})
  return styles
}

/** Not the table of routes, which leads to every page, nor what packages import. */
function importsOf(module: EnvironmentModuleNode | undefined): string[] {
  return [...(module?.importedModules ?? [])]
    .map(({ url }) => url)
    .filter((url) => !/^(\/@|virtual:|\0)|\/node_modules\//.test(url) || STYLE_FILE.test(url))
}
