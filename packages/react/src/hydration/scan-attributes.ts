/** Attributes that differ: React keeps the server's and, in production, tells nobody. */
import type { BenignDifference } from '@sonde/browser'
import { benignAttribute, benignElement } from './benign.ts'
import { attributeDifference, type Difference } from './find-difference.ts'
import { propsOf } from './lost-clicks.ts'

// A millisecond or two of the main thread, in the moment in which the page is hydrated.
const MAX_ELEMENTS = 1000
const MAX_FOUND = 5
/** Texts that React writes as they are. */
const COMPARED = [
  ['className', 'class'],
  ['id', 'id'],
  ['href', 'href'],
  ['src', 'src'],
  ['title', 'title'],
  ['alt', 'alt'],
  ['placeholder', 'placeholder'],
  ['aria-label', 'aria-label'],
] as const

export type Scanned = {
  readonly found: readonly { readonly element: Element; readonly difference: Difference }[]
  readonly benign: ReadonlyMap<BenignDifference, number>
}

/** Of elements that React has hydrated by now. */
export function scanAttributes(container: ParentNode): Scanned {
  const found: { element: Element; difference: Difference }[] = []
  const benign = new Map<BenignDifference, number>()
  const count = (kind: BenignDifference): void => void benign.set(kind, (benign.get(kind) ?? 0) + 1)
  const elements = container.querySelectorAll('*')
  for (let at = 0; at < elements.length && at < MAX_ELEMENTS; at++) {
    const element = elements[at]!
    const props = propsOf(element)
    if (!props) {
      if (benignElement(element) === 'extension') count('extension')
      continue
    }
    for (const name of element.getAttributeNames()) {
      const kind = benignAttribute(name, '', null)
      if (kind && kind !== 'hover' && !(name in props)) count(kind)
    }
    for (const [prop, name] of COMPARED) {
      const value = props[prop]
      const before = element.getAttribute(name)
      if (typeof value !== 'string' || value === before) continue
      const kind = benignAttribute(name, before, value)
      if (kind) count(kind)
      else if (found.length < MAX_FOUND)
        found.push({ element, difference: attributeDifference(element, name, before, value) })
    }
  }
  return { found, benign }
}
