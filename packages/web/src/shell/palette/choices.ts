/** What the palette offers, and which of it a text means. */
export type Choice = {
  readonly id: string
  readonly group: string
  readonly name: string
  /** Beside the name; looked through as well. */
  readonly hint?: string
  readonly level?: string
} & ({ readonly to: string } | { readonly run: () => void })

const MAX_SHOWN = 40

/**
 * Choices that contain every word of the text; those whose name begins with it first, else in the given order. Groups
 * stay together, in the order in which their first choice comes. Those `found` by the server are not filtered again.
 */
export function matching(
  choices: readonly Choice[],
  found: readonly Choice[],
  text: string,
): readonly Choice[] {
  const wanted = text.trim().toLowerCase()
  const words = wanted.split(/\s+/)
  const textOf = ({ name, hint = '' }: Choice): string => `${name} ${hint}`.toLowerCase()
  const named = choices.filter((choice) => words.every((word) => textOf(choice).includes(word)))
  const begins = (choice: Choice): boolean => wanted !== '' && choice.name.toLowerCase().startsWith(wanted)
  // An id that was typed in full is what is meant.
  const exact = found.filter((choice) => choice.hint?.toLowerCase() === wanted)
  const others = found.filter((choice) => !exact.includes(choice))
  const ordered = [
    ...exact,
    ...named.filter((choice) => begins(choice)),
    ...named.filter((choice) => !begins(choice)),
    ...others,
  ]
  const groups = [...new Set(ordered.map(({ group }) => group))]
  return groups.flatMap((group) => ordered.filter((choice) => choice.group === group)).slice(0, MAX_SHOWN)
}
