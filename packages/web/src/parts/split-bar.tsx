/** Parts of a whole side by side; the words beside or in its title say what they are. */
type SplitPart = { readonly className: string; readonly value: number }

export function SplitBar({ parts, label }: { readonly parts: readonly SplitPart[]; readonly label: string }) {
  const placed = place(parts)
  if (placed.length === 0) return null
  return (
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" className="split-bar" role="img" aria-label={label}>
      <title>{label}</title>
      {placed.map(({ className, x, width }) => (
        <rect key={className} className={className} x={x} width={width} height="4" />
      ))}
    </svg>
  )
}

type Placed = { readonly className: string; readonly x: number; readonly width: number }

/** In percent of the whole; parts without anything are left out. */
function place(parts: readonly SplitPart[]): Placed[] {
  const whole = parts.reduce((sum, { value }) => sum + value, 0)
  const placed: Placed[] = []
  let x = 0
  for (const { className, value } of parts) {
    if (value <= 0) continue
    const width = (value / whole) * 100
    placed.push({ className, x, width })
    x += width
  }
  return placed
}

/** How much of a whole, as a line; the number beside it says it in words. */
export function ShareBar({ part, whole }: { readonly part: number; readonly whole: number }) {
  return (
    <svg viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true" className="share-bar">
      <rect className="share-all" width="100" height="2" />
      <rect width={Math.max(1, (part / Math.max(1, whole)) * 100)} height="2" />
    </svg>
  )
}
