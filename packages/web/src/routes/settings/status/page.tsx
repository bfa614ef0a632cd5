import '../../../parts/figures/status.css'
import { Form, Link, usePageData, useSearchParams } from '@sonde/router'
import { formatBytes, formatExact, formatShare } from '../../../format/format-count.ts'
import { bytesText } from '../../../parts/figures/figures-text.ts'
import { paths } from '../../../paths.ts'
import type { OperatorStatus } from '../../../server/operator-status.ts'
import type { SelfReportState } from '../../../server/self-report.server.ts'
import { useRefresh } from '../../../shell/use-refresh.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Section, TableFrame } from '../../../ui/section.tsx'
import { Ago } from '../../../ui/time.tsx'
import { UserText } from '../../../ui/user-text.tsx'
import { DeadLetters, type DeadResult } from './dead-letters.tsx'
import { NodeList } from './node-list.tsx'
import { Outcomes } from './outcomes.tsx'
import type { load } from './page.server.ts'
import { ProcessList } from './process-list.tsx'
import { EngineWork, OwnProblems, Queues, SlowStatements } from './work.tsx'

const HOLDS = {
  telemetry: 'events, spans and aggregates',
  log: 'write-ahead log of received data',
  records: 'issues, projects, users',
  blobs: 'attachments and dead letters',
} as const

function DiskUse({ disk }: Pick<OperatorStatus, 'disk'>) {
  const { engines, dataBytes, freeBytes, sizeBytes } = disk
  return (
    <Section
      id="disk"
      title="Disk"
      note={`${bytesText(freeBytes)} free of ${bytesText(sizeBytes)} (${formatShare(freeBytes, sizeBytes)})`}
    >
      <TableFrame label="Disk usage by store">
        <table className="status-table">
          <thead>
            <tr>
              <th scope="col">Store</th>
              <th scope="col">Contents</th>
              <th scope="col" className="col-end">
                Size
              </th>
            </tr>
          </thead>
          <tbody>
            {engines.map(({ name, bytes }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className="muted">{HOLDS[name]}</td>
                <td className="col-end" title={`${formatExact(bytes)} bytes`}>
                  {bytesText(bytes)}
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <td />
              <td className="col-end">{bytesText(dataBytes)}</td>
            </tr>
          </tfoot>
        </table>
      </TableFrame>
    </Section>
  )
}

type State = OperatorStatus['state']

const TONES = { ok: 'good', degraded: 'attention', down: 'bad', stopped: 'neutral' } as const
const WORDS = { ok: 'healthy', degraded: 'degraded', down: 'down', stopped: 'stopped' } as const

function StateBadge({ state }: { readonly state: State }) {
  return <Badge tone={TONES[state]}>{WORDS[state]}</Badge>
}

const REFRESH_MS = 5_000

export function title() {
  return 'Status · Sonde'
}

export default function Status() {
  const { status, dead, period, selfReport } = usePageData<typeof load>()
  const [params] = useSearchParams()
  useRefresh(REFRESH_MS)
  const { work } = status
  return (
    <div className="page status-page">
      <div className="page-head">
        <h1>System status</h1>
        <p className="status-line">
          <StateBadge state={status.state} />
          <span className="muted">
            version {status.version} on {status.runtime}, checked <Ago atMs={status.atMs} />
          </span>
        </p>
      </div>
      <Waiting status={status} />
      <PartList parts={inOrder(status.parts)} />
      {work && <OwnProblems logs={work.logs} />}
      {work && <Queues queues={work.queues} partitions={status.log.partitions ?? []} />}
      {work && <SlowStatements slow={work.slow} />}
      {status.nodes.length > 0 ? (
        <NodeList nodes={status.nodes} />
      ) : (
        <ProcessList processes={status.processes} />
      )}
      <Outcomes outcomes={status.outcomes} period={period} />
      {work && <EngineWork work={work} />}
      {status.disk.engines.length > 0 && <DiskUse disk={status.disk} />}
      <SelfReport state={selfReport} />
      <DeadLetters dead={dead} deadCount={status.deadLetters.waiting} result={resultOf(params)} />
    </div>
  )
}

const URGENCY = { down: 0, degraded: 1, stopped: 2, ok: 3 } as const

/** What is wrong first; those that are well as they come. */
const inOrder = (parts: OperatorStatus['parts']): OperatorStatus['parts'] =>
  parts.toSorted((a, b) => URGENCY[a.state] - URGENCY[b.state])

/** What the last decision did; a hand-written address says nothing. */
function resultOf(params: URLSearchParams): DeadResult | undefined {
  const change = params.get('change')
  const [done, failed] = [Number(params.get('done')), Number(params.get('failed'))]
  const isRight = Number.isSafeInteger(done) && Number.isSafeInteger(failed)
  return change !== null && isRight ? { change, done, failed } : undefined
}

function PartList({ parts }: Pick<OperatorStatus, 'parts'>) {
  return (
    <Section id="parts" title="Components">
      <TableFrame label="Components and their state">
        <table className="status-table">
          <thead>
            <tr>
              <th scope="col">Component</th>
              <th scope="col">State</th>
              <th scope="col">Details</th>
            </tr>
          </thead>
          <tbody>
            {parts.map(({ name, state, detail }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  <StateBadge state={state} />
                </td>
                <td>
                  <UserText text={detail} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </Section>
  )
}

/** Sonde watches its own screens; here an operator says whether it may. */
function SelfReport({ state }: { readonly state: SelfReportState }) {
  return (
    <Section id="self-report" title="Self-monitoring">
      {state.kind === 'setting' && <p>Disabled for this installation by SONDE_SELF_REPORT=off.</p>}
      {state.kind === 'reachable' && (
        <p>
          Disabled because other machines can reach this installation and SONDE_SELF_REPORT is auto.
          SONDE_SELF_REPORT=on enables it, and everyone who signs in then receives a client key of the
          receiving project.
        </p>
      )}
      {state.kind === 'no-project' && <p>Disabled because the receiving project was deleted.</p>}
      {(state.kind === 'on' || state.kind === 'off') && (
        <Form action={paths.selfReport()} className="self-report">
          <p>
            {state.kind === 'on'
              ? 'Errors and performance of these screens are reported to '
              : 'Paused. Reports would go to '}
            <Link to={paths.issues(state.org, state.project)}>
              {state.org}/{state.project}
            </Link>
            . Reports stay in this installation and contain no names, URLs or search terms.
          </p>
          <input type="hidden" name="report" value={state.kind === 'on' ? 'off' : 'on'} />
          <button type="submit" className="button">
            {state.kind === 'on' ? 'Pause reporting' : 'Resume reporting'}
          </button>
        </Form>
      )}
    </Section>
  )
}

type WaitingProps = {
  readonly status: Pick<OperatorStatus, 'log' | 'lagMs'> & {
    readonly deadLetters: Pick<OperatorStatus['deadLetters'], 'waiting'>
  }
}

/** What lies between the answer to an SDK and the screens: first to look at when events do not appear. */
function Waiting({ status }: WaitingProps) {
  const { log, lagMs } = status
  const deadCount = status.deadLetters.waiting
  return (
    <dl className="figures status-figures">
      <Figure
        name="Log backlog"
        value={formatBytes(log.depthBytes)}
        exact={`${formatExact(log.depthBytes)} bytes`}
      />
      <Figure
        name="Lag"
        value={lagText(lagMs)}
        exact={`oldest unprocessed record: ${formatExact(lagMs)} ms`}
      />
      <Figure
        name="Log size"
        value={formatBytes(log.keptBytes)}
        exact={`${formatExact(log.keptBytes)} bytes`}
      />
      <Figure
        name="Dead letters"
        value={formatExact(deadCount)}
        exact={`${formatExact(deadCount)} could not be processed`}
        isAlert={deadCount > 0}
      />
    </dl>
  )
}

/** To a tenth of a second: what is below that is nobody's lag. */
function lagText(ms: number): string {
  if (ms < 100) return 'none'
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${(ms / 3_600_000).toFixed(1)} h`
}

type FigureProps = { name: string; value: string; exact: string; isAlert?: boolean }

function Figure({ name, value, exact, isAlert = false }: FigureProps) {
  return (
    <div className={isAlert ? 'figure figure-alert' : 'figure'}>
      <dt>{name}</dt>
      <dd title={exact}>{value}</dd>
    </div>
  )
}
