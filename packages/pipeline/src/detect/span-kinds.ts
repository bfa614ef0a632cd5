/** What a span is to detectors: a query, a request, a file that the page loaded. */
import { NAVIGATION_OP, NAVIGATION_PREFIX } from '@sonde/protocol/navigation'
import { numberOf, textOf } from '../spans/attributes.ts'
import type { Span } from '../spans/span.ts'
import { normalizeAddress, normalizeStatement } from './normalize-statement.ts'

export const isSelect = ({ op, name }: Span): boolean =>
  (op === 'db' || op.startsWith('db.')) && name.slice(0, 6).toUpperCase() === 'SELECT'
export const isQuery = ({ op, name }: Span): boolean =>
  (op === 'db' || op.startsWith('db.sql') || op === 'db.query') && name !== ''
export const isRequest = ({ op }: Span): boolean => op === 'http.client' || op.startsWith('http.client.')
export const isAsset = ({ op }: Span): boolean => op === 'resource.css' || op === 'resource.script'

export const statementOf = ({ name }: Span): string => normalizeStatement(name)
export const addressOf = ({ name }: Span): string => normalizeAddress(name)

export const bytesOf = ({ attributes }: Span): number =>
  numberOf(
    attributes,
    'http.response.body.size',
    'http.response_content_length',
    'http.response_transfer_size',
  ) ?? 0

/** As large on the wire as in memory; false where either is unknown or it came from a cache. */
export function isUncompressed(span: Span): boolean {
  const decoded = numberOf(span.attributes, 'http.decoded_response_content_length') ?? 0
  return decoded > 0 && bytesOf(span) === decoded
}

/** How long a navigation waited for page data; undefined: it is none, or none that ended. */
export function pageDataMs({ op, attributes }: Span): number | undefined {
  if (op !== NAVIGATION_OP || textOf(attributes, `${NAVIGATION_PREFIX}provisional`) === 'true')
    return undefined
  if (textOf(attributes, `${NAVIGATION_PREFIX}outcome`) === 'pending') return undefined
  return numberOf(attributes, `${NAVIGATION_PREFIX}phase.data`)
}
export const routeOf = ({ name, attributes }: Span): string =>
  textOf(attributes, `${NAVIGATION_PREFIX}to_route`) || normalizeAddress(name)

const LONG_FRAME_OP = 'ui.long-animation-frame'
export const isLongFrame = ({ op }: Span): boolean => op === LONG_FRAME_OP

/** Milliseconds of style and layout that the longest script of a long frame forced; undefined: none, or not told. */
export const forcedLayoutMs = ({ op, attributes }: Span): number | undefined =>
  op === LONG_FRAME_OP ? numberOf(attributes, 'browser.script.forced_style_and_layout_duration') : undefined

/** The script that kept the frame busy, as far as the SDK says it. */
export const scriptOf = ({ name, attributes }: Span): string =>
  normalizeAddress(textOf(attributes, 'code.file.path', 'code.filepath', 'browser.script.invoker') || name)
