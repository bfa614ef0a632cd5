/** The code of routes: loaded when a route is visited or prefetched, then at hand for rendering. */
import type { ComponentType, ReactNode } from 'react'

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

export function createRouteModules(
  importers: Readonly<Record<string, (() => Promise<RouteModule>) | undefined>>,
): RouteModules {
  const loaded = new Map<string, RouteModule>()
  const loading = new Map<string, Promise<void>>()
  const loadOne = async (id: string): Promise<void> => {
    const importer = importers[id]
    if (!importer || loaded.has(id)) return
    const running = loading.get(id)
    if (running) return running
    const task = importer().then(
      (module) => void loaded.set(id, module),
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
    },
  }
}
