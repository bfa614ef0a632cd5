/** Which of our codings a request takes (RFC 9110 12.5.3). */
export const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/** The first of ours, in our order, that the header names without refusing it (`q=0`); undefined: none. */
export function acceptedCoding(
  header: string | undefined,
  offered: readonly Coding[] = CODINGS,
): Coding | undefined {
  const named = new Map(
    (header ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      return [name, !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))] as const
    }),
  )
  return offered.find((coding) => named.get(coding) ?? named.get('*') ?? false)
}
