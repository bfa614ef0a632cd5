import type { AdoptionBasis, AdoptionCounts, ReleaseDetail } from '@sonde/queries'
import { Link } from '@sonde/router'
import type { ReactNode } from 'react'
import { ReleaseLink } from '../../../../../parts/release-link.tsx'
import { usePaths } from '../../../../../shell/use-paths.ts'
import { Badge } from '../../../../../ui/badge.tsx'
import { CopyButton } from '../../../../../ui/copy-button.tsx'
import { Count } from '../../../../../ui/count.tsx'
import { Ago } from '../../../../../ui/time.tsx'
import { AdoptionBar } from '../adoption-bar.tsx'
import { adoptionShare } from '../adoption.ts'

type Props = {
  readonly org: string
  readonly project: string
  readonly release: ReleaseDetail
  readonly basis: AdoptionBasis | undefined
  /** Of this release and of all, in the selected period. */
  readonly use: AdoptionCounts | undefined
  readonly total: AdoptionCounts
}

export function ReleaseHead({ org, project, release, basis, use, total }: Props) {
  const kept = usePaths()
  const { version, previous, next, status } = release
  return (
    <header className="release-head">
      <nav className="release-trail" aria-label="Releases">
        <Link to={kept.releases(org, project)} prefetch="intent">
          All releases
        </Link>
        {previous !== undefined && (
          <span>
            <span className="muted">Previous</span> <ReleaseLink release={previous} />
          </span>
        )}
        {next !== undefined && (
          <span>
            <span className="muted">Next</span> <ReleaseLink release={next} />
          </span>
        )}
        {previous !== undefined && (
          <Link to={kept.compareReleases(org, project, previous, version)} prefetch="intent">
            Compare with previous
          </Link>
        )}
      </nav>
      <div className="release-title">
        <h1>
          <bdi>{version}</bdi>
        </h1>
        {status === 'archived' && <Badge>archived</Badge>}
        <CopyButton text={version} what="version" />
      </div>
      <dl className="release-facts">
        <Fact name="Adoption">
          <AdoptionBar share={adoptionShare(basis, use, total)} />
        </Fact>
        <Fact name="Events">
          <Count value={use?.events ?? 0} noun="event" />
        </Fact>
        <Fact name="Users">
          <Count value={use?.users ?? 0} noun="user" />
        </Fact>
        <When name="First event" atMs={release.firstEventMs} />
        <When name="Last event" atMs={release.lastEventMs} />
        <Fact name="Created">
          <Ago atMs={release.createdMs} />
        </Fact>
        {release.startedMs !== undefined && <When name="Build started" atMs={release.startedMs} />}
        {release.releasedMs !== undefined && <When name="Finalized" atMs={release.releasedMs} />}
        {release.otherProjects.length > 0 && (
          <Fact name="Also in">
            {release.otherProjects.map((slug, index) => (
              <span key={slug}>
                {index > 0 && ', '}
                <Link to={kept.release(org, slug, version)} prefetch="none">
                  {slug}
                </Link>
              </span>
            ))}
          </Fact>
        )}
        {release.url !== undefined && <WebFact name="More" url={release.url} />}
      </dl>
    </header>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function When({ name, atMs }: { readonly name: string; readonly atMs: number | undefined }) {
  return (
    <Fact name={name}>
      {atMs === undefined ? <span className="muted">none yet</span> : <Ago atMs={atMs} />}
    </Fact>
  )
}

function WebFact({ name, url }: { readonly name: string; readonly url: string }) {
  return (
    <Fact name={name}>
      <OutLink url={url} />
    </Fact>
  )
}

/** The URL that a build reported; only http(s) URLs become links. */
export function OutLink({ url }: { readonly url: string }) {
  return /^https?:\/\//i.test(url) ? (
    <a href={url} rel="noreferrer noopener">
      <bdi>{url}</bdi>
    </a>
  ) : (
    <bdi>{url}</bdi>
  )
}
