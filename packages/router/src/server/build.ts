/** What the server bundle offers the page handler. The bundle holds React and the app's modules. */
import type { PageData } from '../shared/page-data.ts'

/** What a page's server code is given. One object per request; never kept in a module variable. */

export type LoadArgs<Context = unknown, Param extends string = string> = {
  readonly request: Request
  /** The page's URL under the public origin, without the fragment. */
  readonly url: URL
  /** Values of the `[name]` segments, percent-decoded. Name them in the second type argument. */
  readonly params: Readonly<Record<Param, string>>
  /** What `createContext(request)` of the page handler returned for this request. */
  readonly context: Context
  /** Sets a header of the answer, redirects and errors included. */
  readonly setHeader: (name: string, value: string) => void
  /** For headers that repeat, `Set-Cookie` above all. */
  readonly appendHeader: (name: string, value: string) => void
}

export type ActionArgs<Context = unknown, Param extends string = string> = LoadArgs<Context, Param> & {
  /** The posted form; may be called more than once. */
  readonly formData: () => Promise<FormData>
}

/** `dynamic`: the client keeps page data 0 s; `static`: 300 s (N6). */
export type PageKind = 'dynamic' | 'static'

/** Exports of `page.server.ts` and `layout.server.ts`. */
export type ServerModule = {
  readonly kind?: PageKind
  load?(args: LoadArgs): unknown
  action?(args: ActionArgs): unknown
}

/** A page or layout on the way from the root to the matched page. */
export type MatchedRoute = {
  readonly id: string
  /** Source file below Vite's root, the key in its manifest; missing on a route without a page. */
  readonly file?: string
  readonly server?: ServerModule
}

export type Match = {
  /** Null when no page matches; then the chain holds the not-found page's file alone. */
  readonly template: string | null
  readonly params: Readonly<Record<string, string>>
  /** Outermost layout first, the page last. */
  readonly chain: readonly MatchedRoute[]
}

export type RenderArgs = {
  readonly page: PageData
  /** Path and query. */
  readonly url: string
  /** The page's host, for the fall-back page. */
  readonly host: string
  readonly nonce: string
  /** Module that hydrates the page. */
  readonly entry: string
  /** URLs of the modules of the page and its layouts, by route id. */
  readonly modules: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  /** Called for each failure, before and after the shell; returns the digest that the browser may see. */
  readonly onError: (error: unknown) => string | undefined
}

export type ServerBuild = {
  match(pathname: string): Match
  /** The title that the page's `title(data)` gives, if it has one. @throws what `title` throws */
  title(page: Pick<PageData, 'template' | 'data'>): string | undefined
  /** Content of the root element. Rejects when the shell fails; later failures only reach `onError`. */
  render(args: RenderArgs): Promise<ReadableStream<Uint8Array>>
}
