/** The code of routes: loaded when a route is visited or prefetched, then at hand for rendering. */
import type { ComponentType, ReactNode } from 'react'
import { laterCodeOfNavigation } from './later-code.ts'

export type FailureProps = { readonly status: number; readonly digest?: string }

/** Exports of `page.tsx`, `layout.tsx` and `not-found.tsx`. */
export type RouteModule = {
  readonly default: ComponentType<{ children?: ReactNode; status?: number }>
  title?(data: unknown): string
  /** Shown below the sentence of the fall-back page; it never replaces it (E1). */
  readonly ErrorBoundary?: ComponentType<FailureProps>
}

export type RouteModules = {
  get(id: string): RouteModule | undefined
  /** Rejects when one cannot be loaded; the next call tries again. */
  load(ids: readonly string[]): Promise<void>
}

export const NOT_FOUND_ID = 'not-found'

export type Importers = Readonly<Record<string, (() => Promise<RouteModule>) | undefined>>

export type RouteModulesOptions = {
  /** Addresses of the first page's modules by route id: it needs no table of all pages. */
  readonly first: Readonly<Record<string, string | undefined>>
  /** The code of every route, in a chunk of its own: it names each file of the build. */
  readonly importers: () => Promise<Importers>
}

export function createRouteModules({ first, importers }: RouteModulesOptions): RouteModules {
  const loaded = new Map<string, RouteModule>()
  const loading = new Map<string, Promise<void>>()
  const importOne = async (id: string): Promise<RouteModule | undefined> => {
    const url = first[id]
    if (url !== undefined) return (await import(/* @vite-ignore */ url)) as RouteModule
    return (await importers())[id]?.()
  }
  const loadOne = (id: string): Promise<void> => {
    const known = loading.get(id)
    if (known) return known
    const task = importOne(id).then(
      (module) => void (module && loaded.set(id, module)),
      (error: unknown) => {
        loading.delete(id)
        throw error
      },
    )
    loading.set(id, task)
    return task
  }
  return {
    get: (id) => loaded.get(id),
    async load(ids) {
      await Promise.all(ids.map(loadOne))
      await laterCodeOfNavigation()
    },
  }
}
