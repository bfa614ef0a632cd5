import './verdict.css'
import { Link } from '@sonde/router'
import { usePaths } from '../../shell/use-paths.ts'
import { SHOWN, shownAt } from './verdict-address.ts'
import { VerdictBadge } from './verdict-badge.tsx'
import type { VerdictView } from './verdict-view.ts'

type Props = { readonly org: string; readonly project: string; readonly view: VerdictView }

/** The verdict of a release: each measure as a sentence with the way to what shows it. */
export function VerdictPanel({ org, project, view }: Props) {
  const kept = usePaths()
  const { verdict, before, sentence, measures, absent, next } = view
  return (
    <div className="verdict">
      <p className="verdict-said">
        {before !== undefined && <VerdictBadge verdict={verdict} />} <bdi>{sentence}</bdi>{' '}
        {measures.length === 0 && before !== undefined && (
          <span className="muted">Nothing was measured of either release in this time.</span>
        )}
        {next !== undefined && <span>{next}</span>}
      </p>
      {measures.length > 0 && (
        <ul className="verdict-measures">
          {measures.map(({ name, verdict: found, text }) => (
            <li key={name} className={`verdict-${found}`}>
              {text}{' '}
              <Link to={shownAt(kept, org, project, { ...view, name })} prefetch="none">
                {SHOWN[name][0]}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {absent.length > 0 && (
        <details className="fold">
          <summary>Not measured ({absent.length})</summary>
          <ul className="verdict-absent muted">
            {absent.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
