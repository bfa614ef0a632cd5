/** What a page asks the router for. */
import { useLoaderData, useNavigate, useParams as useRouteParams } from 'react-router'
import type { Invalid } from '../server/results.ts'
import type { Jsonified } from '../shared/jsonified.ts'

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

/** What the last post to this page answered, until the next navigation. */
export function useActionData<Action extends AnyLoad>(): ActionDataOf<Action> | undefined {
  return undefined
}

/** Values of the `[name]` segments: `useParams<'org' | 'project'>()`. */
export function useParams<Param extends string = string>(): Readonly<Record<Param, string>> {
  return useRouteParams() as Readonly<Record<Param, string>>
}

/** The page's route template, `/[org]/[project]/issues/[issue]`; undefined on pages that no route matches. */
export function useRouteTemplate(): string | undefined {
  return undefined
}

/** True from 150 ms after a navigation or post began until it ends. */
export function usePending(): boolean {
  return false
}

/** Fetches the current page's data again without navigating; on failure the data at hand stays. */
export function useRevalidate(): () => Promise<void> {
  return () => Promise.resolve()
}

/** Whether the server has answered with another build than this tab's: offer a reload. */
export function useNewBuild(): boolean {
  return false
}

export { useNavigate }
