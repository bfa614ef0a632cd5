import { type VitalName, vitalRating } from '@sonde/protocol/web-vitals'
import type { SampleSet } from '@sonde/queries'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { ScriptPlace } from '../../../../parts/scripts/script-place.tsx'
import { RATING_WORDS, vitalText } from '../../../../parts/vitals/vital-words.ts'
import { usePaths } from '../../../../shell/use-paths.ts'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { SampleShown } from './page.server.ts'
import { withChoice } from './vital-choice.ts'

const SETS: readonly { readonly id: SampleSet; readonly name: string; readonly about: string }[] = [
  { id: 'typical', name: 'Typical', about: 'Page views around the 75th percentile' },
  { id: 'slowest', name: 'Slowest', about: 'Page views with the highest values' },
]

type Props = {
  readonly org: string
  readonly project: string
  readonly name: VitalName
  readonly set: SampleSet
  readonly samples: readonly SampleShown[]
  readonly hasRoute: boolean
}

/** Switches between the two sets. */
export function SampleChoice({ set }: { readonly set: SampleSet }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <nav className="segmented segmented-small" aria-label="Sample selection">
      {SETS.map(({ id, name, about }) => (
        <Link
          key={id}
          to={pathname + withChoice(params, { samples: id })}
          prefetch="none"
          preventScrollReset
          aria-current={id === set || undefined}
          title={about}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}

/** Single page views, each with a link to its trace. */
export function VitalSamples({ org, project, name, set, samples, hasRoute }: Props) {
  const paths = usePaths()
  const hasElements = samples.some(({ element }) => element !== '')
  const hasScripts = samples.some(({ script }) => script !== undefined)
  return (
    <div
      className="perf-scroll vital-samples"
      role="region"
      aria-label="Sample page views table"
      tabIndex={0}
    >
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Value</th>
            {set === 'typical' && <th scope="col">Percentile</th>}
            {!hasRoute && <th scope="col">Route</th>}
            {hasElements && <th scope="col">Element</th>}
            {hasScripts && <th scope="col">Script</th>}
            <th scope="col">Visitor</th>
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          {samples.map((sample) => {
            const { value, percentile, route, element, script, traceId, spanId, atMs } = sample
            const rating = vitalRating(name, value)
            return (
              <tr key={`${traceId} ${spanId}`}>
                <th scope="row" className="vital-sample-value">
                  <Link to={paths.trace(org, traceId, spanId)} prefetch="intent" title="View trace">
                    {vitalText(name, value)}
                  </Link>{' '}
                  <span className={`vital-${rating}`}>
                    <span className="vital-rating">{RATING_WORDS[rating]}</span>
                  </span>
                </th>
                {set === 'typical' && (
                  <td className="num">{percentile === undefined ? '' : `p${percentile}`}</td>
                )}
                {!hasRoute && (
                  <td className="perf-name">
                    <UserText text={route} />
                  </td>
                )}
                {hasElements && (
                  <td className="perf-name">
                    {element === '' ? (
                      <span className="muted">–</span>
                    ) : (
                      <UserText text={element} className="vital-code" />
                    )}
                  </td>
                )}
                {hasScripts && (
                  <td className="perf-name">
                    {script === undefined ? (
                      <span className="muted">–</span>
                    ) : (
                      <ScriptPlace org={org} project={project} script={script} isShort />
                    )}
                  </td>
                )}
                <td className="vital-visitor">
                  <UserText text={visitorText(sample)} />
                </td>
                <td className="vital-when">
                  <Ago atMs={atMs} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const visitorText = ({ browser, device, country, connection, release }: SampleShown): string =>
  [browser, device, country, connection, release].filter((text) => text !== '').join(' · ') || '–'
