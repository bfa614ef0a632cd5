import type { AdoptionBasis, AdoptionCounts, ReleaseDetail } from '@sonde/queries'
import type { ReactNode } from 'react'
import { countOf, formatBytes, formatExact } from '../../../../../format/format-count.ts'
import { Ago } from '../../../../../ui/time.tsx'
import { AdoptionBar } from '../adoption-bar.tsx'
import { adoptionShare } from '../adoption-share.ts'
import { ReleaseLink } from '../../../../../parts/release-link.tsx'
import { DeployChips } from '../release-table.tsx'

export type ComparedRelease = ReleaseDetail & { readonly use?: AdoptionCounts | undefined }
type Props = {
  readonly a: ComparedRelease
  readonly b: ComparedRelease
  readonly basis?: AdoptionBasis | undefined
  readonly total: AdoptionCounts
}

/** What is known of both, line by line. */
export function CompareTable({ a, b, basis, total }: Props) {
  const line = (name: string, of: (release: ComparedRelease) => ReactNode, about?: string) => (
    <tr>
      <th scope="row" title={about}>
        {name}
      </th>
      <td>{of(a)}</td>
      <td>{of(b)}</td>
    </tr>
  )
  const time = (atMs: number | undefined) => (atMs === undefined ? none('none yet') : <Ago atMs={atMs} />)
  const count = (value: number) => <span className="num">{formatExact(value)}</span>
  return (
    <div className="perf-scroll" role="region" aria-label="Both releases" tabIndex={0}>
      <table className="perf-table compare-table">
        <thead>
          <tr>
            <td />
            <th scope="col">
              <ReleaseLink release={a.version} />
            </th>
            <th scope="col">
              <ReleaseLink release={b.version} />
            </th>
          </tr>
        </thead>
        <tbody>
          {line('Adoption', ({ use }) => (
            <AdoptionBar share={adoptionShare(basis, use, total)} />
          ))}
          {line('Deployed', ({ deploys }) =>
            deploys.length === 0 ? none('nobody told') : <DeployChips deploys={deploys} />,
          )}
          {line('First event', ({ firstEventMs }) => time(firstEventMs))}
          {line('Last event', ({ lastEventMs }) => time(lastEventMs))}
          {line('Events', ({ use }) => count(use?.events ?? 0), 'In this time')}
          {line('Users', ({ use }) => count(use?.users ?? 0), 'Different people in this time')}
          {line('New issues', ({ issues }) => count(issues.new), 'First seen in it')}
          {line(
            'Regressed issues',
            ({ issues }) => count(issues.regressed),
            'Resolved ones that it brought back',
          )}
          {line('Resolved issues', ({ issues }) => count(issues.resolved), 'Resolved in it')}
          {line('Commits', ({ commits }) => (commits === 0 ? none('nobody told') : count(commits)))}
          {line('Source maps', ({ artifacts }) =>
            artifacts
              ? `${formatBytes(artifacts.bytes)} in ${countOf(artifacts.files, 'file')}`
              : none('none for this release'),
          )}
        </tbody>
      </table>
    </div>
  )
}

const none = (text: string) => <span className="muted">{text}</span>
