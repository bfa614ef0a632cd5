import '../../../../../parts/figures/status.css'
import '../../../../../parts/forms/settings.css'
import '../../../../../parts/performance/performance.css'
import '../uptime.css'
import { type DataOf, Form, Link, useActionData, usePageData, useParams } from '@sonde/router'
import { SavedNotice } from '../../../../../parts/forms/saved-notice.tsx'
import { paths } from '../../../../../paths.ts'
import { Section, TableFrame } from '../../../../../ui/section.tsx'
import { Ago, ExactTime } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { CheckResult } from '../check-result.tsx'
import { Share } from '../share.tsx'
import { StateBadge } from '../state-badge.tsx'
import { everyText, outcomeWords, shownState } from '../uptime-words.ts'
import type { AnsweredCheck, load } from './page.server.ts'
import { PhaseChart } from './phase-chart.tsx'

type Data = DataOf<typeof load>
export const title = ({ row }: Data): string => `${row.name} · Uptime · Sonde`

const PERIODS = ['24h', '7d', '30d', '90d'] as const

export default function Monitor() {
  const { row, monitor, series, period, incidents, checks, mayWrite } = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  const answer = useActionData<() => Promise<AnsweredCheck>>()
  return (
    <div className="page">
      <p className="muted">
        <Link className="text-link" to={paths.uptime(org, project)}>
          Uptime
        </Link>
      </p>
      <div className="page-head">
        <h1>
          <UserText text={row.name} />
        </h1>
        <StateBadge state={shownState(row)} />
        {mayWrite && <MonitorButtons id={row.id} isPaused={row.isPaused} />}
      </div>
      <SavedNotice />
      {answer?.check && <CheckResult check={answer.check} />}
      {answer?.problem !== undefined && <p role="alert">{answer.problem}</p>}
      <p className="uptime-about">
        {monitor.method} <UserText text={monitor.url} />, every {everyText(row.intervalSec)}, status{' '}
        {monitor.statuses}. Down when {monitor.failures} of {monitor.failuresOf} checks failed, up after{' '}
        {monitor.recoveries} in a row.
      </p>
      <StateText row={row} />
      <dl className="uptime-facts">
        {(
          [
            ['24 hours', row.availability.day],
            ['7 days', row.availability.week],
            ['30 days', row.availability.month],
          ] as const
        ).map(([name, availability]) => (
          <div key={name}>
            <dt>Available, {name}</dt>
            <dd>
              <Share of={availability} />
            </dd>
          </div>
        ))}
        {row.certificateUntilMs !== undefined && (
          <div>
            <dt>Certificate until</dt>
            <dd>
              <ExactTime atMs={row.certificateUntilMs} />
            </dd>
          </div>
        )}
      </dl>
      <Section
        id="times"
        title="Response time"
        actions={
          <nav className="uptime-periods" aria-label="Period">
            {PERIODS.map((each) => (
              <Link
                key={each}
                to={paths.uptimeMonitor(org, project, row.id, { statsPeriod: each })}
                aria-current={each === period ? 'page' : undefined}
              >
                {each}
              </Link>
            ))}
          </nav>
        }
      >
        <PhaseChart series={series} period={period} />
      </Section>
      <Incidents incidents={incidents} />
      <Checks checks={checks} />
    </div>
  )
}

function StateText({ row }: { readonly row: Data['row'] }) {
  if (row.checkedMs === undefined) return <p className="muted">It was not checked yet.</p>
  return (
    <p className="muted">
      Last checked <Ago atMs={row.checkedMs} />: {outcomeWords(row.outcome)}
      {row.reason !== '' && (
        <>
          , <UserText text={row.reason} />
        </>
      )}
      .{' '}
      {row.state !== 'new' && (
        <>
          {row.state === 'up' ? 'Up' : 'Down'} since <ExactTime atMs={row.sinceMs} />.
        </>
      )}
    </p>
  )
}

function MonitorButtons({ id, isPaused }: { readonly id: number; readonly isPaused: boolean }) {
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <div className="uptime-buttons">
      <Form>
        <button type="submit" className="button button-small" name="does" value="check">
          Check now
        </button>
      </Form>
      <Link className="button button-small" to={paths.editUptime(org, project, id)}>
        Edit
      </Link>
      <Form>
        <button
          type="submit"
          className="button button-small"
          name="does"
          value={isPaused ? 'resume' : 'pause'}
        >
          {isPaused ? 'Resume' : 'Pause'}
        </button>
      </Form>
      <details className="key-fold">
        <summary>Delete…</summary>
        <Form className="danger">
          <p>Its state and counts go. Incidents are kept.</p>
          <button type="submit" className="button button-small button-danger" name="does" value="delete">
            Delete monitor
          </button>
        </Form>
      </details>
    </div>
  )
}

function Incidents({ incidents }: Pick<Data, 'incidents'>) {
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <Section id="incidents" title="Incidents">
      {incidents.length === 0 ? (
        <p className="muted">It was never down.</p>
      ) : (
        <ul className="uptime-incidents">
          {incidents.map(({ id, startedMs, resolvedMs, reason }) => (
            <li key={id}>
              <Link className="text-link" to={paths.incident(org, project, id)}>
                <ExactTime atMs={startedMs} />
              </Link>{' '}
              {resolvedMs === undefined ? (
                <strong>open</strong>
              ) : (
                <span className="muted">for {durationText(resolvedMs - startedMs)}</span>
              )}
              , <UserText text={reason} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function durationText(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return `${Math.round(ms / 1_000)} s`
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 6) / 10} h`
}

function Checks({ checks }: Pick<Data, 'checks'>) {
  return (
    <Section id="checks" title="Last checks">
      {checks.length === 0 ? (
        <p className="muted">None yet.</p>
      ) : (
        <TableFrame label="Last checks">
          <table className="perf-table">
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Outcome</th>
                <th scope="col" className="num">
                  Status
                </th>
                {['DNS', 'Connect', 'TLS', 'First byte', 'Download', 'Total'].map((name) => (
                  <th key={name} scope="col" className="num">
                    {name}
                  </th>
                ))}
                <th scope="col">Reason</th>
              </tr>
            </thead>
            <tbody>
              {checks.map((check, index) => (
                <tr key={index}>
                  <td>
                    <ExactTime atMs={check.atMs} />
                  </td>
                  <td className={check.isUp ? undefined : 'uptime-failed'}>{outcomeWords(check.outcome)}</td>
                  <td className="num">{check.status === 0 ? '–' : check.status}</td>
                  {[
                    check.dnsMs,
                    check.connectMs,
                    check.tlsMs,
                    check.firstByteMs,
                    check.downloadMs,
                    check.totalMs,
                  ].map((ms, phase) => (
                    <td key={phase} className="num">
                      {ms.toFixed(ms < 10 ? 1 : 0)} ms
                    </td>
                  ))}
                  <td className="uptime-reason">
                    <UserText text={check.reason} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </Section>
  )
}
