/** How much of a whole, as a line; the number beside it says it in words. */
export function ShareBar({ part, whole }: { readonly part: number; readonly whole: number }) {
  return (
    <svg viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true" className="share-bar">
      <rect className="share-all" width="100" height="2" />
      <rect width={Math.max(1, (part / Math.max(1, whole)) * 100)} height="2" />
    </svg>
  )
}
