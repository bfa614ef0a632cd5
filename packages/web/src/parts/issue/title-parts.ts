/** An issue's title in two parts: its kind, which is read first, and what was said. */
export type Titled = {
  readonly title: string
  readonly metadata: Readonly<Record<string, string>>
}

/** `TypeError` and `x is not a function`; a message is all name. */
export function titleParts({ title, metadata }: Titled): {
  readonly name: string
  readonly rest: string
} {
  const type = metadata.type
  if (type === undefined || type === '' || !title.startsWith(`${type}: `)) return { name: title, rest: '' }
  return { name: type, rest: title.slice(type.length + 2) }
}
