/** The little that is read of S3's XML. Names of blobs and upload ids hold nothing that XML escapes but quotes. */

/** Of the first such element, without elements within it. */
export function textIn(xml: string, element: string): string | undefined {
  const open = `<${element}>`
  const from = xml.indexOf(open)
  if (from < 0) return undefined
  const to = xml.indexOf(`</${element}>`, from)
  return to < 0 ? undefined : plain(xml.slice(from + open.length, to))
}

/** What is in each of these elements. */
export const elementsIn = (xml: string, element: string): readonly string[] =>
  xml
    .split(`<${element}>`)
    .slice(1)
    .map((rest) => rest.slice(0, Math.max(0, rest.indexOf(`</${element}>`))))

const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  '#34': '"',
  '#39': "'",
}

const plain = (text: string): string =>
  text
    .replaceAll(/&(quot|apos|lt|gt|#34|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replaceAll('&amp;', '&')
