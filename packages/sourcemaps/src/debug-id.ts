/** Debug ids tie generated code to its map: https://github.com/tc39/ecma426/blob/main/proposals/debug-id.md */

const ID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i
// Last wins, as with `sourceMappingURL`; only near the end, where tools write it.
const COMMENT = /^[ \t]*\/\/[#@][ \t]*debugId=([0-9a-fA-F-]+)[ \t]*$/gm
const END = 8192

/** Lower case with hyphens, however it was written; undefined: it is none. */
export function debugIdOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !ID.test(value)) return undefined
  const hex = value.toLowerCase().replaceAll('-', '')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** From `//# debugId=…` at the end of generated code. */
export function debugIdOfCode(code: string): string | undefined {
  return debugIdOf([...code.slice(-END).matchAll(COMMENT)].at(-1)?.[1])
}
