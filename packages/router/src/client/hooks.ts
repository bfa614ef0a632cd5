/** What a page asks the router for. */
import { useCallback, useSyncExternalStore } from 'react'
import {
  useLoaderData,
  useMatches,
  useNavigate,
  useParams as useRouteParams,
  useRevalidator,
  useRouteLoaderData,
} from 'react-router'
import type { Invalid } from '../server/results.ts'
import type { Jsonified } from '../shared/jsonified.ts'
import type { PageMeta } from '../shared/page-data.ts'
import { ROOT_ID, templateOf } from '../shared/route-objects.ts'
import type { PostOutcome } from './post.ts'
import { useRuntime } from './runtime.ts'

type AnyLoad = (args: never) => unknown
/** The data a `load` returns, as it arrives. */
export type DataOf<Load extends AnyLoad> = Jsonified<Awaited<ReturnType<Load>>>

type Unwrapped<T> = T extends Invalid<infer Data> ? Data : T extends Response ? never : T
/** The data an `action` returns or hands to `invalid`. */
export type ActionDataOf<Action extends AnyLoad> = Jsonified<Unwrapped<Awaited<ReturnType<Action>>>>

/** Data of the page, or in a layout of the layout: `usePageData<typeof load>()`. */
export function usePageData<Load extends AnyLoad>(): DataOf<Load> {
  return useLoaderData() as DataOf<Load>
}

function usePageMeta(): PageMeta | undefined {
  return useRouteLoaderData<PageMeta | undefined>(ROOT_ID)
}

/** What the last post to this page answered, until the next navigation. */
export function useActionData<Action extends AnyLoad>(): ActionDataOf<Action> | undefined {
  return usePageMeta()?.action as ActionDataOf<Action> | undefined
}

/**
 * What was typed into a field before the action refused it with `invalid`, for `defaultValue`: without
 * JavaScript the form is made anew. Fields that look secret are never given back.
 */
export function useTyped(): (name: string) => string | undefined {
  const typed = usePageMeta()?.typed
  return useCallback((name) => typed?.[name], [typed])
}

/** Values of the `[name]` segments: `useParams<'org' | 'project'>()`. */
export function useParams<Param extends string = string>(): Readonly<Record<Param, string>> {
  return useRouteParams() as Readonly<Record<Param, string>>
}

/** The page's route template, `/[org]/[project]/issues/[issue]`; undefined on pages that no route matches. */
export function useRouteTemplate(): string | undefined {
  return templateOf(useMatches().map((match) => match.id)) ?? undefined
}

/** True from 150 ms after a navigation or post began until it ends. */
export function usePending(): boolean {
  const { pending } = useRuntime()
  return useSyncExternalStore(pending.subscribe, pending.isLate, () => false)
}

/** Fetches the current page's data again without navigating; on failure the data at hand stays. */
export function useRevalidate(): () => Promise<void> {
  return useRevalidator().revalidate
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

export { useNavigate }
