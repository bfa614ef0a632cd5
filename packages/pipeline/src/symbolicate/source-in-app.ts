/** Whether a source is the application's own, by its path in the map: bundlers add helpers and runtimes of theirs. */
import type { Source } from '@sonde/sourcemaps'
import { isInApp } from '../normalize/in-app.ts'

/** In the path as the map says it. `\0` is Rollup's mark of modules that no file holds. */
const OF_A_TOOL = new RegExp(
  [
    String.raw`\0`,
    String.raw`(?:^|[/(\s])node_modules/`,
    String.raw`(?:^|/)\.(?:pnpm|yarn)/`,
    // webpack, rspack: bootstrap, runtime/*, buildin, `external "react"`, `ignored|…`
    String.raw`(?:^|/)(?:\(webpack\)|webpack|rspack)/(?:bootstrap|runtime|buildin|universalModuleDefinition|container|startup)`,
    String.raw`(?:^|/)(?:external|ignored|delegated|remote|module federation)[ |]`,
    String.raw`^webpack:///?(?:[^/]*/)?(?:\(webpack\)|webpack/)`,
    // vite: preload-helper, modulepreload-polyfill, client
    String.raw`(?:^|/)(?:@?vite)/(?:preload-helper|modulepreload-polyfill|client|env|dynamic-import-helper|legacy)`,
    String.raw`(?:^|/)@(?:id/__x00__|react-refresh)`,
    // turbopack, next
    String.raw`\[turbopack(?:-[a-z]+)?\]`,
    String.raw`(?:^|/)@turbopack/`,
    String.raw`\[next\]/(?:internal|entry|polyfill)`,
    // rollup, rolldown, parcel, esbuild
    String.raw`(?:^|/)(?:commonjsHelpers|rolldown[:/_]runtime|\(?rollup\)?/)`,
    String.raw`^rolldown:`,
    String.raw`<(?:runtime|define)[:>]`,
    String.raw`^(?:chrome|moz|safari|safari-web)-extension:`,
    String.raw`^node:`,
  ].join('|'),
)

/** Undefined: a source without a name, of which nothing can be told. */
export function isSourceInApp({ path, isIgnored }: Source, name: string | undefined): boolean | undefined {
  if (isIgnored) return false
  if (path === null || path === '') return undefined
  const slashed = path.replaceAll('\\', '/')
  if (OF_A_TOOL.test(slashed)) return false
  return isInApp({ abs_path: slashed, ...(name !== undefined && { filename: name }) }, 'javascript')
}
