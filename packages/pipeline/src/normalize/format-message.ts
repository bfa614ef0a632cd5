/**
 * Puts params into a message template, for SDKs that send both but not the result: `%s` and `%(name)s` (Python, PHP),
 * `{}`, `{0}` and `{name}` (.NET, Java, Go). Placeholders without a param stay as they are.
 */
import { isObject, lenientText } from './read.ts'

// `%%` first, so that it is not taken for the start of a placeholder.
const PLACEHOLDER =
  /%%|%\((\w{1,64})\)[-+ 0#]{0,4}[\d.]{0,6}[a-zA-Z]|%[-+ 0#]{0,4}[\d.]{0,6}[sdifoxXeEgGrcv]|\{(\w{0,64})\}/g

export function formatMessage(template: string, params: unknown): string {
  const list: readonly unknown[] = Array.isArray(params) ? params : []
  const named = isObject(params) ? params : {}
  let next = 0
  return template.replaceAll(PLACEHOLDER, (whole: string, percentName?: string, braceName?: string) => {
    if (whole === '%%') return '%'
    const name = percentName ?? braceName
    const isName = name !== undefined && name !== ''
    const value =
      isName && Object.hasOwn(named, name)
        ? named[name]
        : isName && /^\d+$/.test(name)
          ? list[Number(name)]
          : isName
            ? undefined
            : list[next++]
    return value === undefined ? whole : textOf(value)
  })
}

function textOf(value: unknown): string {
  if (value === null) return 'None'
  return lenientText(value) ?? JSON.stringify(value)?.slice(0, 1024) ?? ''
}
