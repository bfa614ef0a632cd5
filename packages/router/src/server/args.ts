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
