/** Which component of the app an element comes from: as bundler plugins wrote it into the page, else as React knows it. */

/** Names by themselves, never what is written in an element. */
export type ComponentPlace = {
  readonly component?: string | undefined
  /** `hero.tsx`, without its folder. */
  readonly source_file?: string | undefined
}

// What the component annotation of Sentry's bundler plugins writes:
// https://docs.sentry.io/platforms/javascript/guides/react/features/component-names/
const ANNOTATION = 'data-sentry-'
const MAX_CHARS = 100
// Minified names are one or two letters and change with every build: no name is better.
const READABLE = /^[A-Z][\w$]{2,}$/

type Type = { displayName?: string; name?: string; type?: Type; render?: Type }
type Fiber = { type: Type | string | symbol | null; return: Fiber | null }

/** The nearest component; empty where nobody names it. */
export function componentOf(node: Node | null | undefined): ComponentPlace {
  const element = node?.nodeType === 1 ? (node as Element) : node?.parentElement
  const marked = element?.closest(`[${ANNOTATION}component]`)
  const said = (name: string): string | undefined =>
    marked?.getAttribute(ANNOTATION + name)?.slice(0, MAX_CHARS) || undefined
  return { component: said('component') ?? nameInReact(element), source_file: said('source-file') }
}

/** Of React 17 and later. Not the next outer one when the nearest has no readable name: that one would be blamed for it. */
function nameInReact(element: Element | null | undefined): string | undefined {
  const key = element && Object.keys(element).find((name) => name.startsWith('__reactFiber$'))
  let fiber = key && (element as unknown as Record<string, Fiber | null>)[key]
  while (fiber) {
    const name = nameOf(fiber.type as Type | undefined)
    if (name) return READABLE.test(name) ? name : undefined
    fiber = fiber.return
  }
  return undefined
}

/** Of functions and classes, and of what `memo` and `forwardRef` hold; an element, a fragment, a context is none. */
function nameOf(type: Type | undefined | null): string | undefined {
  const inner = type?.type ?? type?.render
  return typeof type === 'function' || inner ? type?.displayName || type?.name || nameOf(inner) : undefined
}
