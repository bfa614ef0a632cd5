/** The router's hooks, and the runtime that they and the components reach through React's context, on both sides. */
import { createContext, useCallback, useContext, useMemo, useSyncExternalStore } from 'react'
import type { Invalid } from '../server/results.ts'
import type { Location } from './location.ts'
import type { NavigateOptions, Shown } from './navigator.ts'
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
  readonly navigate: (to: string, options?: NavigateOptions) => Promise<void>
  readonly revalidate: () => Promise<void>
  /** React runs another part of what the server rendered. */
  readonly onPartTakenOver: () => void
}

export const RuntimeContext = createContext<RouterRuntime | undefined>(undefined)

/** @throws outside of the router */
export function useRuntime(): RouterRuntime {
  const runtime = useContext(RuntimeContext)
  if (!runtime) throw new Error('this component or hook works only below the router')
  return runtime
}

export const ShownContext = createContext<Shown | undefined>(undefined)

/** @throws outside of the router */
export function useShown(): Shown {
  const shown = useContext(ShownContext)
  if (!shown) throw new Error('this component or hook works only below the router')
  return shown
}

/** Whose data `usePageData` gives: the page's template, or the id of the layout. */
export const DataContext = createContext('')

type AnyLoad = (args: never) => unknown
/** The data a `load` returns, as it arrives. */
export type DataOf<Load extends AnyLoad> = Jsonified<Awaited<ReturnType<Load>>>

type Unwrapped<T> = T extends Invalid<infer Data> ? Data : T extends Response ? never : T
/** The data an `action` returns or hands to `invalid`. */
export type ActionDataOf<Action extends AnyLoad> = Jsonified<Unwrapped<Awaited<ReturnType<Action>>>>

/** Data of the page, or in a layout of the layout: `usePageData<typeof load>()`. */
export function usePageData<Load extends AnyLoad>(): DataOf<Load> {
  const id = useContext(DataContext)
  return (useShown().page.data[id] ?? null) as DataOf<Load>
}

/** What the last post to this page answered, until the next navigation. */
export function useActionData<Action extends AnyLoad>(): ActionDataOf<Action> | undefined {
  return useShown().page.action as ActionDataOf<Action> | undefined
}

/**
 * What was typed into a field before the action refused it with `invalid`, for `defaultValue`: without
 * JavaScript the form is made anew. Fields that look secret are never given back.
 */
export function useTyped(): (name: string) => string | undefined {
  const typed = useShown().page.typed
  return useCallback((name) => typed?.[name], [typed])
}

/** Values of the `[name]` segments: `useParams<'org' | 'project'>()`. */
export function useParams<Param extends string = string>(): Readonly<Record<Param, string>> {
  return useShown().match.params
}

/** The page's route template, `/[org]/[project]/issues/[issue]`; undefined on pages that no route matches. */
export function useRouteTemplate(): string | undefined {
  return useShown().match.template ?? undefined
}

/** True from 150 ms after a navigation or post began until it ends. */
export function usePending(): boolean {
  const { pending } = useRuntime()
  return useSyncExternalStore(pending.subscribe, pending.isLate, () => false)
}

/** Fetches the current page's data again without navigating; on failure the data at hand stays. */
export function useRevalidate(): () => Promise<void> {
  return useRuntime().revalidate
}

/** Posts fields to a page's action without a form: `await post('/acme/issues/7', { status: 'resolved' })`. */
export function usePost(): (url: string, fields: Readonly<Record<string, string>>) => Promise<PostOutcome> {
  const { post } = useRuntime()
  return useCallback(
    (url, fields) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      return post({ url, form })
    },
    [post],
  )
}

/** Whether the server has answered with another build than this tab's: offer a reload. */
export function useNewBuild(): boolean {
  const { newBuild } = useRuntime()
  return useSyncExternalStore(newBuild.subscribe, newBuild.get, () => false)
}

/** Goes to a path, or to another query or fragment of this one. */
export function useNavigate(): RouterRuntime['navigate'] {
  return useRuntime().navigate
}

/** The address of what is shown. */
export function useLocation(): Location {
  return useShown().location
}

/** The query of what is shown. It is changed by going elsewhere: with a link, a form or `useNavigate`. */
export function useSearchParams(): readonly [URLSearchParams] {
  const { search } = useLocation()
  return useMemo(() => [new URLSearchParams(search)], [search])
}

/**
 * What a value becomes on its way through JSON: page data is rendered from the parsed text on the
 * server too, so both sides see the same (`Date` is a string, functions are gone).
 */
type Jsonified<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends { toJSON(): infer Plain }
      ? Jsonified<Plain>
      : T extends ((...args: never[]) => unknown) | symbol | bigint
        ? never
        : T extends readonly unknown[]
          ? { [Index in keyof T]: Jsonified<T[Index]> }
          : T extends object
            ? {
                [
                  Key in keyof T as T[Key] extends ((...args: never[]) => unknown) | symbol ? never : Key
                ]: Jsonified<T[Key]>
              }
            : T
