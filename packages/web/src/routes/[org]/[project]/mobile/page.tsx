import '../../../../parts/performance/performance.css'
import '../../../../parts/explore/explore.css'
import type { MobileRow, Timing } from '@sonde/queries'
import { Link, usePageData, useParams } from '@sonde/router'
import { countOf, formatCount, formatExact, formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { FilterBar } from '../../../../parts/filter-bar/filter-bar.tsx'
import { usePaths } from '../../../../shell/use-paths.ts'
import { Snippet } from '../../../../ui/copy-button.tsx'
import { EmptyState, Section } from '../../../../ui/section.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Mobile · Sonde'

export default function Mobile() {
  const { org, project } = useParams<'org' | 'project'>()
  const { releases, screens, choices, isNarrowed, dsn, refusal } = usePageData<typeof load>()
  return (
    <div className="page page-wide">
      <h1 className="sr-only">Mobile vitals of {project}</h1>
      <FilterBar org={org} project={project} source="transactions" choices={choices} />
      {refusal ? (
        <EmptyState title="Too many spans">
          <p>
            {refusal.message}. {refusal.hint}
          </p>
        </EmptyState>
      ) : screens.length === 0 ? (
        <NoStarts isNarrowed={isNarrowed} dsn={dsn} />
      ) : (
        <>
          <Section id="releases" title="Releases">
            <VitalsTable by="release" rows={releases} />
          </Section>
          <Section id="screens" title="Screens" note="By transaction.">
            <VitalsTable by="screen" rows={screens} />
          </Section>
        </>
      )}
    </div>
  )
}

const TIMINGS = [
  ['coldStart', 'Cold start'],
  ['warmStart', 'Warm start'],
  ['initialDisplay', 'Initial display'],
  ['fullDisplay', 'Full display'],
] as const

type TableProps = { readonly by: 'release' | 'screen'; readonly rows: readonly MobileRow[] }

function VitalsTable({ by, rows }: TableProps) {
  const { org, project } = useParams<'org' | 'project'>()
  const kept = usePaths()
  const linkOf = (name: string): string =>
    by === 'release'
      ? kept.release(org, project, name)
      : kept.explore(org, project, { query: `is_transaction:1 transaction:${quoted(name)}` })
  return (
    <div
      className="perf-scroll"
      role="group"
      aria-label={by === 'release' ? 'Releases' : 'Screens'}
      tabIndex={0}
    >
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">{by === 'release' ? 'Release' : 'Screen'}</th>
            {TIMINGS.map(([field, name]) => (
              <th key={field} scope="col" className="col-num" title="p50, and p95 below">
                {name}
              </th>
            ))}
            <th scope="col" className="col-num" title="Frames that came too late, of all">
              Slow frames
            </th>
            <th scope="col" className="col-num" title="Frames of more than 700 ms, of all">
              Frozen frames
            </th>
            <th scope="col" className="col-num">
              Frames
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row" className="perf-name">
                {row.name === '' ? (
                  <span className="muted">none</span>
                ) : (
                  <Link to={linkOf(row.name)} prefetch="none">
                    <UserText text={row.name} />
                  </Link>
                )}
              </th>
              {TIMINGS.map(([field]) => (
                <TimingCell key={field} timing={row[field]} />
              ))}
              <ShareCell share={row.slowRate} />
              <ShareCell share={row.frozenRate} />
              <td className="col-num num" title={formatExact(row.frames)}>
                {formatCount(row.frames)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function TimingCell({ timing: { count, p50Ms, p95Ms } }: { readonly timing: Timing }) {
  return (
    <td className="col-num num" title={`Measured ${countOf(count, 'time')}`}>
      {p50Ms === undefined ? (
        <span className="muted">none</span>
      ) : (
        <>
          {formatDuration(p50Ms)}
          <span className="muted script-detail">p95 {formatDuration(p95Ms ?? p50Ms)}</span>
        </>
      )}
    </td>
  )
}

function ShareCell({ share }: { readonly share: number | undefined }) {
  return (
    <td className={`col-num num ${share === undefined || share === 0 ? 'muted' : ''}`}>
      {share === undefined ? 'none' : formatShare(share, 1)}
    </td>
  )
}

const quoted = (value: string): string => `"${value.replace(/[\\"*]/g, '\\$&')}"`

function NoStarts({ isNarrowed, dsn }: { readonly isNarrowed: boolean; readonly dsn: string | undefined }) {
  return (
    <EmptyState title="No mobile vitals yet" docs="mobile">
      <p>Cold and warm app starts, slow and frozen frames, and time to display, by release and screen.</p>
      {isNarrowed && <p>No app starts or frames for these filters. Try a longer time range.</p>}
      {dsn !== undefined && (
        <>
          <p>Sent by Sentry’s SDKs for iOS, Android, React Native and Flutter with tracing enabled:</p>
          <Snippet
            what="code that starts the SDK"
            code={`SentryAndroid.init(this) { options ->
  options.dsn = "${dsn}"
  options.tracesSampleRate = 1.0
  options.isEnableTimeToFullDisplayTracing = true
}`}
          />
        </>
      )}
    </EmptyState>
  )
}
