import './spike-banner.css'
import { Link } from '@sonde/router'
import { formatExact } from '../format/format-count.ts'
import { formatClock, formatExactTime } from '../format/format-time.ts'
import { paths } from '../paths.ts'
import { useIsInBrowser } from '../ui/page-clock.tsx'

export type ShownSpike = {
  readonly org: string
  readonly project: string
  readonly startedMs: number
  /** Undefined: usually nothing comes. */
  readonly timesUsual: number | undefined
  readonly storedOneIn: number
  readonly mayChange: boolean
}

/** On every screen of a project, while its events are sampled. */
export function SpikeBanner({ spike }: { readonly spike: ShownSpike }) {
  const { org, project, startedMs, timesUsual, storedOneIn, mayChange } = spike
  const zone = useIsInBrowser() ? 'local' : 'utc'
  const settings = paths.projectSettings(org, project)
  return (
    <p className="spike-banner" role="status">
      <span>
        <strong>{project.toUpperCase()}</strong> gets{' '}
        {timesUsual === undefined ? 'far more than' : `${formatExact(timesUsual)} times`} its usual events
        since{' '}
        <time dateTime={new Date(startedMs).toISOString()} title={formatExactTime(startedMs, zone)}>
          {formatClock(startedMs, zone).slice(0, 5)}
          {zone === 'utc' && ' UTC'}
        </time>
        : 1 in {formatExact(storedOneIn)} is stored, counts are exact.
      </span>{' '}
      <span className="spike-banner-links">
        <Link to={`${settings}#limit`}>Rate limit</Link>
        {' · '}
        <Link to={`${settings}#spikes`}>
          {mayChange ? 'Turn off for this project' : 'About spike protection'}
        </Link>
      </span>
    </p>
  )
}
