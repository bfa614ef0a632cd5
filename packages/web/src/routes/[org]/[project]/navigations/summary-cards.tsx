import type { Figure } from './summary-figures.ts'

/** What matters most, in numbers; each leads to the part of the page that says more. */
export function SummaryCards({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <ul className="nav-cards" aria-label="Summary">
      {figures.map(({ name, value, detail, before, about, fragment, isBad }) => (
        <li key={name} className="nav-card" title={about}>
          <span className="nav-card-name">
            {fragment === undefined ? name : <a href={`#${fragment}`}>{name}</a>}
          </span>
          <strong className={`nav-card-value num ${isBad ? 'perf-bad' : ''}`}>{value}</strong>
          <span className="nav-card-detail num">{detail}</span>
          {before !== undefined && <span className="nav-card-detail num">{before}</span>}
        </li>
      ))}
    </ul>
  )
}
