/** A link that the router follows, fetching ahead what it leads to. */
import { type FocusEvent, type PointerEvent, type Ref, type TouchEvent, useEffect, useRef } from 'react'
import { Link as RouterLink, type LinkProps as RouterLinkProps } from 'react-router'
import { useRuntime } from './hooks.ts'

export type LinkProps = Omit<RouterLinkProps, 'prefetch' | 'discover' | 'to'> & {
  /** Path from the root, with query and fragment. */
  readonly to: string
  /** `view` (default): when scrolled into view and on intent; `intent`: on hover, focus and touch; `none`. */
  readonly prefetch?: 'view' | 'intent' | 'none'
  readonly ref?: Ref<HTMLAnchorElement>
}

/** A pointer that only passes over is no intent. */
const INTENT_AFTER_MS = 65

export function Link({ prefetch = 'view', ref, ...props }: LinkProps) {
  const runtime = useRuntime()
  const anchor = useRef<HTMLAnchorElement>(null)
  const { to } = props
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
  return (
    <RouterLink
      {...props}
      discover="none"
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
