/** Headers that belong to one connection and are not handed on: RFC 9110, 7.6.1, https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */

const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  // Each side makes its own: the front has answered `100 Continue`, and undici frames the body anew.
  'expect',
  'transfer-encoding',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
])

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Without those, and without what `Connection` names. Names are in lower case on both sides. */
export function endToEndHeaders(headers: Headers): Record<string, string | string[]> {
  const named = new Set(
    [headers['connection'] ?? []]
      .flat()
      .flatMap((value) => value.toLowerCase().split(','))
      .map((name) => name.trim()),
  )
  const kept: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name) && !named.has(name)) kept[name] = value
  }
  return kept
}
