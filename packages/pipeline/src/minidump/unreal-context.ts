/** `CrashContext.runtime-xml` of Unreal Engine: what the engine knew of itself and of the machine when it crashed. */
import { DOMParser } from '@xmldom/xmldom'

export type UnrealContext = {
  /** Names as the engine has them, such as `CrashType` and `Misc.PrimaryGPUBrand`; empty ones are left out. */
  readonly properties: ReadonlyMap<string, string>
  /** What the game itself put in: `GameData`, among it `__sentry`. */
  readonly game: ReadonlyMap<string, string>
}

/** The engine's own have some ten kilobytes, most of it the list of modules. */
const MAX_BYTES = 1024 * 1024
const MAX_ENTRIES = 500
const MAX_VALUE = 16_384

/** Undefined: it cannot be read. Entities other than the five of XML are not expanded, and a document type is refused. */
export function readUnrealContext(bytes: Uint8Array): UnrealContext | undefined {
  if (bytes.length > MAX_BYTES) return undefined
  const text = new TextDecoder().decode(bytes)
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) return undefined
  let isBroken = false
  const refuse = (): void => {
    isBroken = true
  }
  let root: Element | null
  try {
    const handler = { warning: () => undefined, error: refuse, fatalError: refuse }
    root = new DOMParser({ errorHandler: handler }).parseFromString(text, 'text/xml').documentElement
  } catch {
    return undefined
  }
  // Null for a text without an element, whatever the types say.
  if (isBroken || (root as Element | null) === null) return undefined
  return { properties: childrenOf(root, 'RuntimeProperties'), game: childrenOf(root, 'GameData') }
}

function childrenOf(root: Element, name: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (let part = root.firstChild; part; part = part.nextSibling) {
    if (part.nodeName !== name) continue
    for (let each = part.firstChild; each && found.size < MAX_ENTRIES; each = each.nextSibling) {
      // One level: deeper ones are of no engine.
      const value = each.nodeType === ELEMENT ? textOf(each).trim() : ''
      if (value !== '') found.set(each.nodeName, value.slice(0, MAX_VALUE))
    }
  }
  return found
}

const ELEMENT = 1
const TEXTS: ReadonlySet<number> = new Set([3, 4])

function textOf(element: Node): string {
  let text = ''
  for (let part = element.firstChild; part && text.length < MAX_VALUE; part = part.nextSibling)
    if (TEXTS.has(part.nodeType)) text += part.nodeValue ?? ''
  return text
}
