import './verdict.css'
import type { ReleaseMeasure } from '@sonde/queries'
import { Link } from '@sonde/router'
import type { paths } from '../../paths.ts'
import { usePaths } from '../../shell/use-paths.ts'
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

const SHOWN: Readonly<
  Record<
    ReleaseMeasure,
    readonly [name: string, at: 'health' | 'errors' | 'navigations' | 'performance' | 'vitals']
  >
> = {
  crashed_sessions: ['Release health', 'health'],
  users_with_crash: ['Release health', 'health'],
  users_with_error: ['Compare errors', 'errors'],
  failed_navigations: ['Navigations', 'navigations'],
  hung_navigations: ['Navigations', 'navigations'],
  error_rate: ['Transactions', 'performance'],
  lcp: ['LCP', 'vitals'],
  inp: ['INP', 'vitals'],
  cls: ['CLS', 'vitals'],
  fcp: ['FCP', 'vitals'],
  ttfb: ['TTFB', 'vitals'],
}

type Shown = Pick<VerdictView, 'release' | 'before'> & { readonly name: ReleaseMeasure }

/** Where the measure is shown in full, narrowed to the release. */
export function shownAt(
  kept: typeof paths,
  org: string,
  project: string,
  { name, release, before }: Shown,
): string {
  const [, at] = SHOWN[name]
  if (at === 'health') return `${kept.release(org, project, release)}#health`
  if (at === 'errors') return `${kept.compareReleases(org, project, before, release)}#errors`
  const to = kept[at](org, project)
  const search = new URLSearchParams({ release, ...(at === 'vitals' && { vital: name }) })
  return `${to}${to.includes('?') ? '&' : '?'}${search}`
}
