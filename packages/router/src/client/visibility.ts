/** Tells when elements come into view and leave it again; one observer for all links. */

let observer: IntersectionObserver | undefined
const callbacks = new WeakMap<Element, (isVisible: boolean) => void>()

/** Returns what ends it. */
export function observeVisibility(element: Element, callback: (isVisible: boolean) => void): () => void {
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
