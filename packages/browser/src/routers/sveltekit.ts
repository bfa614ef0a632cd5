/**
 * SvelteKit 2.12 and newer with Svelte 5, in the root layout:
 * `const follow = svelteKit({ beforeNavigate, afterNavigate, navigating, page }); $effect(follow)`.
 * `beforeNavigate` is not called while a navigation is under way, neither for a redirect nor for what takes its place; `navigating`
 * tells of both, and of neither which it is.
 */
import { captureException } from '../api.ts'
import { activeNavigations } from '../navigation/navigations.ts'
import type { OpenNavigation } from '../navigation/recorder.ts'
import type { PageRequest } from '../types.ts'
import { showError } from './show-error.ts'

type Target = { readonly url: URL; readonly route: { readonly id: string | null } }

type Navigation = {
  readonly from: Target | null
  readonly to: Target | null
  readonly type: string | null
  readonly willUnload: boolean | null
  readonly delta?: number | null | undefined
  /** The same for everybody who is told of this navigation; rejected when it is cancelled or given up. */
  readonly complete: Promise<void> | null
  /** Absent from a redirect, from `goto`, and from `navigating`. */
  readonly event?: Event | undefined
}

/** Of `$app/navigation` and `$app/state`, the part that is used. */
export type SvelteKit = {
  beforeNavigate(callback: (navigation: Navigation) => void): void
  afterNavigate(callback: (navigation: Navigation) => void): void
  readonly navigating: Navigation
  readonly page: Target & { readonly status: number; readonly error: unknown }
}

const ROUTER = 'sveltekit'
const DATA = /\/__data\.json(?:$|\?.*)/

type Thrown = { readonly error: unknown; readonly path: string | undefined }
let thrown: Thrown | undefined

/**
 * Call it while the root layout is made, after `init`. What it returns follows `navigating`, in an effect. Does nothing on the
 * server and without `navigations()`.
 */
export function svelteKit({ beforeNavigate, afterNavigate, navigating, page }: SvelteKit): () => void {
  const recorder = activeNavigations()
  if (!recorder) return () => {}
  recorder.take()
  recorder.show(page.url.pathname, templateOf(page))
  let open: OpenNavigation | undefined
  let type: string | null
  let told: unknown
  let input: Event | undefined
  /** The last input that may navigate, and where to if it was a link. */
  let last: { readonly event: Event; readonly href: string | undefined } | undefined
  const asked = new Set<PageRequest>()

  for (const name of ['click', 'submit', 'popstate'])
    addEventListener(
      name,
      (event) => {
        const link = event.composedPath().find((one) => one instanceof HTMLAnchorElement)
        last = { event, href: link?.href }
      },
      true,
    )
  recorder.client.on('request', (request) => DATA.test(request.url) && asked.add(request))
  recorder.client.on('requestEnd', (request) => asked.delete(request))

  const start = (navigation: Navigation): void => {
    const { from, to, willUnload, delta, complete, event } = navigation
    if (!to || willUnload || complete === told) return
    if (!open && from && withoutHash(from.url) === withoutHash(to.url)) return
    told = complete
    const path = to.url.pathname
    const route = templateOf(to)
    const isFurther = open && navigation.type === type
    const isPressed = last && last.event !== input && isOf(last, navigation)
    if (isFurther && type !== 'goto' && !isPressed) open!.redirect(route ?? path)
    // A redirect of what code asked for, or code that asked for something else: the same is told of both. But data that is
    // still awaited has not redirected.
    else if (isFurther && type === 'goto' && ![...asked].some(({ url }) => isDataOf(open!.path, url)))
      open!.end('unknown', 'replaced')
    input = event ?? (isPressed ? last!.event : undefined)
    ;({ type } = navigation)
    const isPersons = input?.isTrusted
    const started = recorder.start({
      to: path,
      route,
      router: ROUTER,
      trigger: isPersons ? (TRIGGERS[type!] ?? (delta! > 0 ? 'forward' : 'back')) : undefined,
      intentMs: isPersons ? input!.timeStamp : undefined,
      owns: (url) => isDataOf(path, url),
    })
    open = started
    complete?.catch(({ message }: Error) => {
      started.end('aborted', /cancel/.test(message) ? 'blocked' : undefined)
      if (open === started) open = undefined
    })
  }

  beforeNavigate(start)
  afterNavigate((navigation) => {
    if (navigation.type === 'enter') return
    start(navigation)
    if (!open) return
    const own = thrown?.path === open.path ? thrown : undefined
    if (!page.error) open.end('committed', undefined, true)
    else if (own) showError(recorder, ROUTER, open, own.error, false, true)
    else open.end('errored', `http_${page.status}`, true)
    open = thrown = undefined
  })
  return () => start(navigating)
}

type Caught = {
  readonly error: unknown
  readonly event: { readonly url: URL } | null
  /** SvelteKit 3. */
  readonly kind?: string
  /** SvelteKit 2. */
  readonly status?: number
}

/**
 * `export const handleError = svelteKitErrors()` in `hooks.client.ts`: reports what is thrown where nobody expects it, and
 * lets the record say why the navigation failed. `own` is called as it would be without.
 */
export const svelteKitErrors =
  <Input extends Caught, Shown = void>(own?: (input: Input) => Shown) =>
  (input: Input): Shown | undefined => {
    const { error, event, kind, status = 500 } = input
    if (kind ? kind === 'unknown' : status >= 500) {
      thrown = { error, path: event?.url.pathname }
      captureException(error, { mechanism: { type: ROUTER, handled: true } })
    }
    return own?.(input)
  }

const TRIGGERS: Record<string, 'click' | 'submit'> = { link: 'click', form: 'submit' }

/** Whether this input asked for this navigation. */
const isOf = (
  { event, href }: { event: Event; href: string | undefined },
  { type, to }: Navigation,
): boolean => (type === 'link' ? href === to!.url.href : event.type === (type === 'form' ? 'submit' : type))

const isDataOf = (path: string, url: string): boolean =>
  DATA.test(url) && new URL(url, location.href).pathname.replace(DATA, '') === path.replace(/\/$/, '')

const withoutHash = ({ href }: URL): string => href.replace(/#.*/, '')

/** `/(shop)/orders/[id=int]` → `/orders/[id]`. */
const templateOf = ({ route }: Target): string | undefined =>
  route.id?.replace(/\/\([^/]*\)(?=\/|$)/g, '').replace(/=\w+(?=\])/g, '') || (route.id ? '/' : undefined)
