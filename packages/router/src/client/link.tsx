/** A link that the router follows, fetching ahead what it leads to. */
import {
  type ComponentProps,
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type TouchEvent,
  useEffect,
  useRef,
} from 'react'
import { useRuntime, useShown } from './hooks.ts'
import { type Location, locationOf, pathOf } from './location.ts'

export type LinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** Path from the root, with query and fragment. What leads to another site is a plain link. */
  readonly to: string
  /** Takes the place of the entry in the history; so does a link to the page that is shown. */
  readonly replace?: boolean
  /** The page stays scrolled as it is. */
  readonly preventScrollReset?: boolean
  /** `view` (default): when scrolled into view and on intent; `intent`: on hover, focus and touch; `none`. */
  readonly prefetch?: 'view' | 'intent' | 'none'
}

/** A pointer that only passes over is no intent. */
const INTENT_AFTER_MS = 65

export function Link({ to, replace, preventScrollReset, prefetch = 'view', ref, ...props }: LinkProps) {
  const runtime = useRuntime()
  const { location } = useShown()
  const anchor = useRef<HTMLAnchorElement>(null)
  const isOurs = to.startsWith('/') && !to.startsWith('//')
  const byIntent = isOurs && prefetch !== 'none'
  const intent = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    if (!isOurs || prefetch !== 'view' || !anchor.current) return undefined
    let cancel: (() => void) | undefined
    const stop = observeVisibility(anchor.current, (isVisible) => {
      cancel?.()
      cancel = isVisible ? runtime.prefetch(to, 'view') : undefined
    })
    return () => {
      stop()
      cancel?.()
    }
  }, [runtime, to, isOurs, prefetch])
  useEffect(() => () => clearTimeout(intent.current), [])

  const intend = (): void => {
    if (byIntent) intent.current = setTimeout(() => runtime.prefetch(to, 'intent'), INTENT_AFTER_MS)
  }
  const forget = (): void => clearTimeout(intent.current)
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    if (!isOurs || event.defaultPrevented || !isPlainClick(event, props.target)) return
    event.preventDefault()
    const isShown = isSame(location, locationOf(to, pathOf(location)))
    void runtime.navigate(to, {
      replace: replace ?? isShown,
      ...(preventScrollReset === undefined ? {} : { preventScrollReset }),
    })
  }
  return (
    <a
      {...props}
      href={to}
      onClick={(event) => {
        props.onClick?.(event)
        follow(event)
      }}
      ref={(element) => {
        anchor.current = element
        if (typeof ref === 'function') return ref(element)
        if (ref) ref.current = element
        return undefined
      }}
      onPointerEnter={(event: PointerEvent<HTMLAnchorElement>) => {
        props.onPointerEnter?.(event)
        intend()
      }}
      onPointerLeave={(event: PointerEvent<HTMLAnchorElement>) => {
        props.onPointerLeave?.(event)
        forget()
      }}
      onFocus={(event: FocusEvent<HTMLAnchorElement>) => {
        props.onFocus?.(event)
        intend()
      }}
      onBlur={(event: FocusEvent<HTMLAnchorElement>) => {
        props.onBlur?.(event)
        forget()
      }}
      onTouchStart={(event: TouchEvent<HTMLAnchorElement>) => {
        props.onTouchStart?.(event)
        if (byIntent) runtime.prefetch(to, 'intent')
      }}
    />
  )
}

/** Everything else is the browser's: another tab, another window, a download. */
function isPlainClick(event: MouseEvent, target: string | undefined): boolean {
  const isModified = event.metaKey || event.altKey || event.ctrlKey || event.shiftKey
  return event.button === 0 && !isModified && (target === undefined || target === '' || target === '_self')
}

const isSame = (one: Location, other: Location): boolean =>
  pathOf(one) === pathOf(other) && one.hash === other.hash

/** Tells when elements come into view and leave it again; one observer for all links. */

let observer: IntersectionObserver | undefined
const callbacks = new WeakMap<Element, (isVisible: boolean) => void>()

/** Returns what ends it. */
function observeVisibility(element: Element, callback: (isVisible: boolean) => void): () => void {
  observer ??= new IntersectionObserver((entries) => {
    for (const entry of entries) callbacks.get(entry.target)?.(entry.isIntersecting)
  })
  callbacks.set(element, callback)
  observer.observe(element)
  return () => {
    callbacks.delete(element)
    observer?.unobserve(element)
  }
}
