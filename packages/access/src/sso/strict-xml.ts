/**
 * XML of strangers, read by nobody who forgives: a document that one reader repairs and another repairs otherwise is how
 * signatures come to stand for what was never signed. What a document type can do (entities that grow, files that are read in)
 * no answer needs.
 */
import { DOMParser } from '@xmldom/xmldom'
import type { SsoRefusal } from './provider.ts'

/** What is used of the DOM, whose types belong to browsers. */
export type XmlElement = {
  readonly textContent: string | null
  getAttribute(name: string): string | null
  getElementsByTagNameNS(namespace: string, name: string): ArrayLike<XmlElement>
}

/** Throws what `wrong` makes for what is not well-formed, and for a document type. The caller bounds its length. */
export function readXml(
  xml: string,
  wrong: (message: string, cause?: unknown) => SsoRefusal,
): Pick<XmlElement, 'getElementsByTagNameNS'> {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw wrong('XML with a document type is not read')
  const stop = (message: unknown): never => {
    throw wrong(`this is not XML: ${String(message).slice(0, 200)}`)
  }
  try {
    const parser = new DOMParser({ errorHandler: { warning: stop, error: stop, fatalError: stop } })
    return parser.parseFromString(xml, 'text/xml')
  } catch (error) {
    throw error instanceof Error && error.name === 'SsoRefusal' ? error : wrong('this is not XML', error)
  }
}
