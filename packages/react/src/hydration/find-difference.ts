/** The smallest node in which the server's HTML and the browser's differ. Bounded, and linear in what it looks at. */
import type { BenignDifference, HydrationDifference } from '@sonde/browser'
import { benignAttribute, benignElement } from './benign.ts'
import { maskDifference, maskText } from './mask-text.ts'

export type Difference = {
  readonly difference: HydrationDifference
  /** Name of the element that it is in. */
  readonly node: string
  /** Shapes of texts, names of elements and attributes. */
  readonly before: string
  readonly after: string
}
export type Comparison = {
  /** Undefined: there is none. */
  readonly found: Difference | undefined
  /** The browser's element that it is in. */
  readonly element?: Element | undefined
  readonly benign: ReadonlyMap<BenignDifference, number>
}

// More than a page has above the first place that differs; it is done once, while the page is rendered anew anyway.
const MAX_NODES = 3000
const MAX_NAME = 40

/** `server` and `browser`: children of the same place. */
export function findDifference(server: readonly Node[], browser: readonly Node[]): Comparison {
  const benign = new Map<BenignDifference, number>()
  const count = (kind: BenignDifference): void => void benign.set(kind, (benign.get(kind) ?? 0) + 1)
  let seen = 0
  // React does not compare attributes, so one that differs is told where nothing else does.
  let attribute: Difference | undefined
  let element: Element | undefined

  function compareLists(a: readonly Node[], b: readonly Node[], parent: Parent): Difference | undefined {
    const [left, right] = [partsOf(a, count), partsOf(b, count)]
    for (let at = 0; at < Math.max(left.length, right.length); at++) {
      if (seen++ > MAX_NODES) return undefined
      const difference = comparePart(left[at], right[at], parent)
      if (difference) return difference
    }
    return undefined
  }

  function comparePart(a: Part | undefined, b: Part | undefined, parent: Parent): Difference | undefined {
    if (typeof a === 'string' && typeof b === 'string') {
      if (a === b) return undefined
      if (a.replace(/\s+/g, ' ').trim() === b.replace(/\s+/g, ' ').trim()) {
        count('whitespace')
        return undefined
      }
      const [before, after] = maskDifference(a, b)
      return found('text', parent, before, after)
    }
    if (typeof a === 'object' && typeof b === 'object' && a.localName === b.localName) {
      compareAttributes(a, b)
      return compareLists([...a.childNodes], [...b.childNodes], b)
    }
    // Between elements white space is nobody's.
    if ((a === undefined || b === undefined) && isBlank(a ?? b)) {
      count('whitespace')
      return undefined
    }
    return found('element', parent, shown(a), shown(b))
  }

  function found(difference: HydrationDifference, parent: Parent, before: string, after: string): Difference {
    element = parent ?? undefined
    return { difference, node: nameOf(parent), before, after }
  }

  function compareAttributes(a: Element, b: Element): void {
    const [left, right] = [a.getAttributeNames(), b.getAttributeNames()]
    let same = left.length === right.length
    for (const name of new Set([...left, ...right])) {
      const [before, after] = [a.getAttribute(name), b.getAttribute(name)]
      if (before === after) continue
      same = false
      const kind = benignAttribute(name, before, after)
      if (kind) count(kind)
      else attribute ??= attributeDifference(a, name, before, after)
    }
    if (same && left.join() !== right.join()) count('attribute_order')
  }

  const first = compareLists(server, browser, browser[0]?.parentElement ?? server[0]?.parentElement)
  return { found: first ?? attribute, element, benign }
}

export function attributeDifference(
  element: Element,
  name: string,
  before: string | null,
  after: string | null,
): Difference {
  const [left, right] = maskDifference(before ?? '', after ?? '')
  const written = (value: string | null, masked: string): string =>
    value === null ? '' : `${name.slice(0, MAX_NAME)}="${masked}"`
  return {
    difference: 'attribute',
    node: nameOf(element),
    before: written(before, left),
    after: written(after, right),
  }
}

type Parent = Element | null | undefined
type Part = Element | string

const isBlank = (part: Part | undefined): boolean => typeof part === 'string' && part.trim() === ''

/** Without comments, by which React marks boundaries and parts texts; texts that touch are one. */
function partsOf(nodes: readonly Node[], count: (kind: BenignDifference) => void): Part[] {
  const parts: Part[] = []
  for (const node of nodes) {
    if (node.nodeType === 3) {
      const text = (node as Text).data
      const last = parts.at(-1)
      if (typeof last === 'string') parts[parts.length - 1] = last + text
      else if (text !== '') parts.push(text)
    } else if (node.nodeType === 1) {
      const kind = benignElement(node as Element)
      if (kind) count(kind)
      if (kind === 'extension') continue
      // What was translated is a text again.
      if (kind === 'translation') parts.push(node.textContent ?? '')
      else parts.push(node as Element)
    }
  }
  return parts
}

const shown = (part: Part | undefined): string =>
  part === undefined ? '' : typeof part === 'string' ? maskText(part) : `<${nameOf(part)}>`

const nameOf = (element: Element | null | undefined): string => element?.localName.slice(0, MAX_NAME) ?? ''
