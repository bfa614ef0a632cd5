/** Names an element for a person and for grouping: `#cart > li.line > button.buy`. Never what is written in it. */

// Long enough to find it again, short enough for a tag value (200).
const MAX_CHARS = 120
// Utility classes come by the dozen and say nothing; the meaningful one stands first.
const MAX_CLASSES = 2

/** Empty for nothing. An id ends it, being unique; of text, its element is named. */
export function selectorOf(node: Node | null | undefined): string {
  let selector = ''
  let element = node?.nodeType === 1 ? (node as Element) : node?.parentElement
  while (element) {
    const { id, localName, classList } = element
    const part = id ? `#${id}` : [localName, ...Array.from(classList).slice(0, MAX_CLASSES)].join('.')
    const longer = selector ? `${part} > ${selector}` : part.slice(0, MAX_CHARS)
    if (longer.length > MAX_CHARS) break
    selector = longer
    if (id) break
    element = element.parentElement
  }
  return selector
}
