import type { DeployedBuild, Deployments, TabSource } from '@sonde/queries'
import { MIN_KEEP_TABS } from '@sonde/queries/contract'
import { countOf, formatExact } from '../../../../format/format-count.ts'
import { cameThrough, keepText } from '../../../../parts/deployments/deployment-text.ts'
import { Section } from '../../../../ui/section.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'

const SOURCE_WORDS: { readonly [Source in TabSource]: string } = {
  beats: 'Visible tabs, seen in the last 5 minutes',
  pages: 'Only tabs that loaded a page or navigated in the last 5 minutes',
  sessions: 'Only visits that began in the last 5 minutes',
  errors: 'Only visits with an error in the last 5 minutes',
}

/** `412 tabs on shop@2, 37 on older builds`; of the environment with the most tabs. Empty: none is open. */
export function openTabsText(builds: readonly DeployedBuild[]): string {
  const open = builds.filter((build) => build.open !== undefined)
  const environments = new Map<string, number>()
  for (const { environment, open: own } of open)
    environments.set(environment, (environments.get(environment) ?? 0) + (own?.tabs ?? 0))
  const [most] = [...environments].toSorted(([, a], [, b]) => b - a)
  if (most === undefined) return ''
  const own = open.filter(({ environment }) => environment === most[0])
  const newest = builds.find(({ environment, replacedBy }) => environment === most[0] && !replacedBy)
  const onNewest = own.find(({ build }) => build === newest?.build)?.open?.tabs ?? 0
  const where = environments.size > 1 && most[0] !== '' ? ` in ${most[0]}` : ''
  return `${countOf(onNewest, 'open tab')} on ${newest?.build ?? 'the newest build'}, ${formatExact(most[1] - onNewest)} on older builds${where}`
}

type Props = { readonly data: Deployments }

/** Which builds people's tabs run, and how long they need the files of old ones. */
export function DeploymentsSection({ data }: Props) {
  const { builds, keep } = data
  const hasEnvironments = new Set(builds.map(({ environment }) => environment)).size > 1
  const isGuessed = builds.some(({ open }) => open !== undefined && open.source !== 'beats')
  const text = openTabsText(builds)
  return (
    <Section id="builds" title="Builds in open tabs" note={text === '' ? 'none open now' : text}>
      {keep.map((each) => {
        const { advice, basis } = keepText(each, MIN_KEEP_TABS)
        return (
          <p key={each.environment} className="nav-keep">
            {hasEnvironments && each.environment !== '' && (
              <>
                <UserText text={each.environment} />:{' '}
              </>
            )}
            <strong>{advice}</strong> <span className="muted">{basis}</span>
          </p>
        )
      })}
      <div className="perf-scroll" role="region" aria-label="Open tabs by build" tabIndex={0}>
        <table className="perf-table">
          <thead>
            <tr>
              <th scope="col">Build</th>
              {hasEnvironments && <th scope="col">Environment</th>}
              <th scope="col">First seen</th>
              <th scope="col" className="col-num">
                Open now
              </th>
              <th scope="col" className="col-num" title="Tabs that still ran it after the next build came">
                Left behind
              </th>
              <th scope="col" className="col-num" title="Tabs that could not load code of it">
                Missed code
              </th>
              <th scope="col" className="col-num" title="Of these: went on after another try or a reload">
                Recovered
              </th>
              <th
                scope="col"
                className="col-num"
                title="Of these: kept failing, and no newer build was loaded; reload loops count too"
              >
                Stuck
              </th>
            </tr>
          </thead>
          <tbody>
            {builds.map((build) => (
              <BuildRow
                key={`${build.build} ${build.environment}`}
                row={build}
                hasEnvironments={hasEnvironments}
              />
            ))}
          </tbody>
        </table>
      </div>
      <p className="muted nav-unseen">
        Hidden tabs are not seen: a tab counts as open while it is visible.{' '}
        {isGuessed && (
          <>
            ≥ means that pages of a build do not say they are open, so only active ones are counted. Add{' '}
            <code>tabs()</code> to the features of Sonde’s SDK to count all visible tabs.
          </>
        )}
      </p>
    </Section>
  )
}

function BuildRow({
  row,
  hasEnvironments,
}: {
  readonly row: DeployedBuild
  readonly hasEnvironments: boolean
}) {
  const { build, environment, firstMs, servedMs, replacedBy, open, leftTabs, missedTabs, outcomes } = row
  const stuck = (outcomes.stuck ?? 0) + (outcomes.looped ?? 0)
  return (
    <tr>
      <th scope="row" className="perf-name">
        <UserText text={build} />
        <span className="nav-sub">
          {replacedBy ? (
            <>
              until <UserText text={replacedBy.build} />, <Ago atMs={replacedBy.servedMs} />
            </>
          ) : servedMs > firstMs ? (
            <>
              served again, since <Ago atMs={servedMs} />
            </>
          ) : (
            'newest'
          )}
        </span>
      </th>
      {hasEnvironments && (
        <td>
          <UserText text={environment} />
        </td>
      )}
      <td>
        <Ago atMs={firstMs} />
      </td>
      <td className="col-num num" title={open && SOURCE_WORDS[open.source]}>
        {open ? `${open.source === 'beats' ? '' : '≥ '}${formatExact(open.tabs)}` : '–'}
      </td>
      <td className="col-num num">{replacedBy ? formatExact(leftTabs) : '–'}</td>
      <td className={`col-num num ${missedTabs > 0 ? 'perf-bad' : ''}`}>{formatExact(missedTabs)}</td>
      <td className="col-num num">{missedTabs > 0 ? formatExact(cameThrough(outcomes)) : '–'}</td>
      <td className={`col-num num ${stuck > 0 ? 'perf-bad' : ''}`}>
        {missedTabs > 0 ? formatExact(stuck) : '–'}
      </td>
    </tr>
  )
}
