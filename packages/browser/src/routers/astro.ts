/**
 * Astro's `<ClientRouter />`, 5 and newer: `astroRouter()` in a script of the layout, after `init` and after listeners of the site. Pages name their route,
 * which Astro keeps from browsers: `<meta name="sonde-route" content={Astro.routePattern}>`.
 * https://docs.astro.build/en/reference/modules/astro-transitions/
 */
import type { NavigationTrigger } from '@sonde/protocol/navigation'
import { activeNavigations } from '../navigation/navigations.ts'
import type { OpenNavigation } from '../navigation/recorder.ts'
import { showError } from './show-error.ts'

type Transition = Event & {
  /** Another one after a redirect. */
  readonly to: URL
  readonly navigationType: string
  readonly direction: string
  readonly newDocument: Document
  readonly signal: AbortSignal
}
type Preparation = Transition & { loader: () => Promise<void> }
type Swap = Transition & { readonly viewTransition: { readonly updateCallbackDone: Promise<unknown> } }

export type AstroRouterOptions = {
  /** Report what loaders and swaps of the site throw. Default: true. */
  readonly captureErrors?: boolean
}

const ROUTER = 'astro'

/** Call it once for each document. Returns what ends it. Does nothing without `navigations()`. */
export function astroRouter({ captureErrors = true }: AstroRouterOptions = {}): () => void {
  const recorder = activeNavigations()
  if (!recorder) return () => {}
  recorder.take()
  recorder.show(location.pathname, routeOf(document))
  let open: OpenNavigation | undefined
  /** Of the navigation under way; a swap may be that of one which was replaced. */
  let signal: AbortSignal | undefined
  let swapping: OpenNavigation | undefined
  let href = ''
  /** Why the page that was asked for is none, as far as its answer says. */
  let reason: string | undefined

  recorder.client.on('requestEnd', ({ url, status = 0, error }) => {
    if (url !== href) return
    if (error) reason = navigator.onLine ? 'network' : 'offline'
    else reason = status >= 400 ? `http_${status}` : undefined
  })
  const fail = (own: OpenNavigation | undefined, error: unknown): void =>
    showError(recorder, ROUTER, own, error, captureErrors, true)

  const prepare = (event: Preparation): void => {
    const { to, navigationType, direction, loader } = event
    const trigger = navigationType === 'traverse' ? (direction as NavigationTrigger) : undefined
    const own = (open = recorder.start({ to: to.pathname, router: ROUTER, trigger }))
    const ownSignal = (signal = event.signal)
    ;({ href } = to)
    reason = undefined
    // What takes its place is told of after this.
    ownSignal.addEventListener('abort', () => setTimeout(() => own.end('aborted')))
    event.loader = async () => {
      try {
        await loader()
      } catch (error) {
        fail(own, error)
        throw error
      }
      if (event.defaultPrevented && !ownSignal.aborted) own.end('full_load', reason)
    }
  }
  const swap = ({ signal: swapSignal, to, newDocument, viewTransition }: Swap): void => {
    swapping = undefined
    if (!open || swapSignal !== signal) return
    const route = routeOf(newDocument)
    if (to.pathname !== open.path) {
      open.redirect(route ?? to.pathname)
      open = recorder.start({ to: to.pathname, router: ROUTER })
    }
    open.route(route)
    const own = (swapping = open)
    viewTransition.updateCallbackDone.catch((error: unknown) => fail(own, error))
  }
  const swapped = (): void => {
    if (!open || open !== swapping) return
    open.end(reason ? 'errored' : 'committed', reason, true)
    open = undefined
  }
  const listeners = { 'before-preparation': prepare, 'before-swap': swap, 'after-swap': swapped }
  for (const [name, listener] of Object.entries(listeners))
    document.addEventListener(`astro:${name}`, listener as EventListener)
  return () => {
    for (const [name, listener] of Object.entries(listeners))
      document.removeEventListener(`astro:${name}`, listener as EventListener)
  }
}

const routeOf = (page: Document): string | undefined =>
  page.querySelector<HTMLMetaElement>('meta[name=sonde-route]')?.content || undefined
