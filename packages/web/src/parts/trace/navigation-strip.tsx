/** The client-side navigation around the trace: routes, outcome, phases. */
import { NAVIGATION_PHASES } from '@sonde/protocol/navigation'
import { Link } from '@sonde/router'
import { formatDuration } from '../../format/format-time.ts'
import { paths } from '../../paths.ts'
import { UserText } from '../../ui/user-text.tsx'
import { SplitBar } from '../split-bar.tsx'

export type ShownNavigation = {
  readonly navigationId: string
  readonly project: string
  readonly from: string
  readonly to: string
  readonly trigger: string
  readonly outcome: string
  readonly reason: string
  readonly durationMs: number
  readonly visibleAfterMs: number | null
  readonly phases: { readonly [phase: string]: number }
  readonly prefetch: string
  readonly cache: string
}

/** Outcomes that are no failure; all others have the colour of a failure. */
const NOT_FAILED: ReadonlySet<string> = new Set([
  'committed',
  'redirected',
  'superseded',
  'pending',
  'unknown',
])

export function NavigationStrip({
  org,
  navigations,
}: {
  readonly org: string
  readonly navigations: readonly ShownNavigation[]
}) {
  if (navigations.length === 0) return null
  return (
    <ul className="navigation-strip" aria-label="Navigations">
      {navigations.map((navigation) => (
        <li key={navigation.navigationId}>
          <NavigationLine org={org} navigation={navigation} />
        </li>
      ))}
    </ul>
  )
}

export function NavigationLine({
  org,
  navigation,
}: {
  readonly org: string
  readonly navigation: ShownNavigation
}) {
  const { project, from, to, trigger, outcome, reason, visibleAfterMs, durationMs, phases, prefetch, cache } =
    navigation
  const parts = NAVIGATION_PHASES.flatMap((phase) => {
    const value = phases[phase] ?? 0
    return value > 0 ? [{ phase, value }] : []
  })
  const text = parts.map(({ phase, value }) => `${phase} ${formatDuration(value)}`).join(', ')
  return (
    <>
      <span className="navigation-way">
        <span className="muted">{trigger === '' ? 'navigation' : trigger}</span>{' '}
        {from === '' ? 'unknown page' : <UserText text={from} />} →{' '}
        <strong>
          <UserText text={to} />
        </strong>
      </span>
      <span className={NOT_FAILED.has(outcome) ? 'navigation-end' : 'navigation-end perf-bad'}>
        {outcome === 'unknown' ? 'end not known' : outcome.replaceAll('_', ' ')}
        {reason !== '' && `: ${reason.replaceAll('_', ' ')}`}
      </span>
      <span className="num">
        {visibleAfterMs === null
          ? (outcome === 'unknown' ? 'span of ' : '') + formatDuration(durationMs)
          : `visible after ${formatDuration(visibleAfterMs)}`}
      </span>
      {prefetch !== '' && prefetch !== 'none' && <span className="muted">prefetch {prefetch}</span>}
      {cache !== '' && <span className="muted">cache {cache}</span>}
      {parts.length > 0 && (
        <span className="navigation-phases">
          <SplitBar
            parts={parts.map(({ phase, value }) => ({ className: `phase-${phase}`, value }))}
            label={text}
          />
          <span className="muted">{text}</span>
        </span>
      )}
      {project !== '' && (
        <Link to={paths.navigations(org, project)} prefetch="intent">
          All navigations
        </Link>
      )}
    </>
  )
}
