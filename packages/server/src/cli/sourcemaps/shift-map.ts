/**
 * A map after one line was put into its code: every mapping of that line and behind it is one line further down. Nothing
 * else changes: generated columns begin anew on each line, and all other numbers are told relative to the one before.
 */

type JsonMap = Readonly<Record<string, unknown>>

/** `line`: the number that the new line has, counted from 0. */
export function shiftMap(map: JsonMap, line: number): JsonMap {
  const { sections } = map
  if (!Array.isArray(sections)) return shiftPlain(map, line)
  return { ...map, sections: sections.map((section: unknown) => shiftSection(section, line)) }
}

function shiftSection(section: unknown, line: number): unknown {
  const { offset, map, ...rest } = section as { offset: { line: number }; map: JsonMap }
  if (offset.line >= line) return { ...rest, offset: { ...offset, line: offset.line + 1 }, map }
  return { ...rest, offset, map: shiftPlain(map, line - offset.line) }
}

function shiftPlain(map: JsonMap, line: number): JsonMap {
  const shifted: Record<string, unknown> = { ...map }
  // Both have a `;` for each line.
  for (const field of ['mappings', 'rangeMappings']) {
    const text = map[field]
    if (typeof text === 'string') shifted[field] = withLine(text, line)
  }
  return shifted
}

function withLine(mappings: string, line: number): string {
  let at = 0
  for (let before = 0; before < line; before++) {
    const end = mappings.indexOf(';', at)
    // The map ends before that line: there is nothing to move.
    if (end === -1) return mappings
    at = end + 1
  }
  return `${mappings.slice(0, at)};${mappings.slice(at)}`
}
