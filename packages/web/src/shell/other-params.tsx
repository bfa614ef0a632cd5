/** A form's query replaces the address's: what else it says goes along. */
export function OtherParams({
  params,
  without,
}: {
  readonly params: URLSearchParams
  readonly without: readonly string[]
}) {
  return [...params]
    .filter(([name]) => !without.includes(name))
    .map(([name, value], index) => <input key={`${name}-${index}`} type="hidden" name={name} value={value} />)
}
