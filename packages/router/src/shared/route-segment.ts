/** One folder name of the route tree. */

/** Names the file and the rule it breaks; stops the build. */
export class RouteTableError extends Error {
  constructor(file: string, problem: string) {
    super(`route ${file}: ${problem}`)
    this.name = 'RouteTableError'
  }
}

export type Segment = {
  readonly kind: 'static' | 'param' | 'group'
  /** Without brackets. */
  readonly name: string
  /** The folder's name. */
  readonly source: string
}

/** @throws RouteTableError for catch-all, optional and unreadable names */
export function parseSegment(source: string, file: string): Segment {
  if (/^\[\[.*\]\]$/.test(source)) {
    throw new RouteTableError(file, `optional segments like ${source} are not supported; write two routes`)
  }
  if (/^\[\.\.\..*\]$/.test(source)) {
    throw new RouteTableError(file, `catch-all segments like ${source} are not supported; name each segment`)
  }
  const param = /^\[([A-Za-z_][A-Za-z0-9_]*)\]$/.exec(source)?.[1]
  if (param !== undefined) return { kind: 'param', name: param, source }
  const group = /^\(([A-Za-z0-9_-]+)\)$/.exec(source)?.[1]
  if (group !== undefined) return { kind: 'group', name: group, source }
  // Anything that react-router's patterns, URLs or shells read in a second way is refused.
  if (!/^[A-Za-z0-9._~@-]+$/.test(source)) {
    throw new RouteTableError(
      file,
      `"${source}" is not a segment: use letters, digits, . _ ~ @ - or [parameter] or (group)`,
    )
  }
  return { kind: 'static', name: source, source }
}
