import type { Plugin } from 'vite'

export type SondeRouterOptions = {
  /** Folder of the route tree, relative to Vite's root. */
  readonly routesDir: string
  /** Module run in the browser before anything renders (an error reporter); relative to Vite's root. */
  readonly clientSetup?: string
  /** Packages that the server build in development takes from Node instead of transforming them. */
  readonly devExternal?: readonly string[]
}

export function sondeRouter(_options: SondeRouterOptions): Plugin[] {
  return []
}
