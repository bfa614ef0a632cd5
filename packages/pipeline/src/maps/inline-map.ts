/** A map that stands in its script's last comment: `//# sourceMappingURL=data:application/json;base64,…`. */

export type InlineMap =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly detail: string }

const MARK = 'sourceMappingURL='
const DATA = /^data:[^,;]*((?:;[^,;]*)*),/

/** https://tc39.es/ecma426/#sec-linking-generated-code: the last one counts. */
export function inlineMap(code: string): InlineMap {
  const at = code.lastIndexOf(MARK)
  const end = at === -1 ? -1 : code.slice(at).search(/[\s'"]|\*\//)
  const url = at === -1 ? '' : code.slice(at + MARK.length, end === -1 ? undefined : at + end)
  const head = DATA.exec(url.slice(0, 200))
  if (!head) return { ok: false, detail: 'its last comment holds no map' }
  const body = url.slice(head[0].length)
  if (/;base64$/i.test(head[1] ?? '')) return { ok: true, bytes: Buffer.from(body, 'base64') }
  try {
    return { ok: true, bytes: Buffer.from(decodeURIComponent(body)) }
  } catch {
    return { ok: false, detail: 'the map in its last comment is badly encoded' }
  }
}
