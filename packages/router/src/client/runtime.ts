/** What components reach through React's context, on both sides. */
import { createContext, useContext } from 'react'
import type { Pending } from './pending.ts'
import type { PostOutcome, PostRequest } from './post.ts'
import type { RouteModules } from './route-modules.ts'

/** A boolean that changes over time, as `useSyncExternalStore` wants it. */
export type Flag = {
  readonly subscribe: (listener: () => void) => () => void
  readonly get: () => boolean
}

export type RouterRuntime = {
  readonly modules: Pick<RouteModules, 'get'>
  /** The page's host, for the fall-back page. */
  readonly host: string
  readonly pending: Pick<Pending, 'subscribe' | 'isLate'>
  readonly newBuild: Flag
  /** Of a failure of the server after it had sent the shell, while the browser has nothing newer. */
  readonly streamedDigest: () => string | undefined
  /** Returns what takes it back while it still waits. */
  readonly prefetch: (to: string, why: 'view' | 'intent') => () => void
  readonly post: (request: PostRequest) => Promise<PostOutcome>
}

export const RuntimeContext = createContext<RouterRuntime | undefined>(undefined)

/** @throws outside of the router */
export function useRuntime(): RouterRuntime {
  const runtime = useContext(RuntimeContext)
  if (!runtime) throw new Error('this component or hook works only below the router')
  return runtime
}
