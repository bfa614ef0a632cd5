import type { OperatorStatus } from '@sonde/queries'
import { formatBytes, formatExact } from '../../../format/format-count.ts'

type WaitingProps = {
  readonly status: Pick<OperatorStatus, 'log' | 'lagMs'> & {
    readonly deadLetters: Pick<OperatorStatus['deadLetters'], 'waiting'>
  }
}

/** What lies between the answer to an SDK and the screens: first to look at when events do not appear. */
export function Waiting({ status }: WaitingProps) {
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
