import { Link } from '@sonde/router'

type Edge = { readonly cursor: string; readonly hasResults: boolean }
type Props = {
  readonly page: { readonly previous: Edge; readonly next: Edge }
  readonly to: (cursor: string) => string
}

/** The ways on; nothing where all is on one page. */
export function MapPages({ page: { previous, next }, to }: Props) {
  if (!previous.hasResults && !next.hasResults) return null
  const step = (name: string, { cursor, hasResults }: Edge) =>
    hasResults ? (
      <Link className="button button-small" to={to(cursor)} prefetch="intent">
        {name}
      </Link>
    ) : (
      <span className="button button-small" aria-disabled="true">
        {name}
      </span>
    )
  return (
    <nav className="maps-pages" aria-label="Pages">
      {step('Previous', previous)}
      {step('Next', next)}
    </nav>
  )
}
