import type { ReleaseBundle } from '@sonde/queries'
import { Link } from '@sonde/router'
import type { ReactNode } from 'react'
import { formatBytes, formatExact } from '../../../../../format/format-count.ts'
import { sentryCliInject, sentryCliUpload, type UploadPlace } from '../../../../../parts/upload-commands.ts'
import { usePaths } from '../../../../../shell/use-paths.ts'
import { Snippet } from '../../../../../ui/copy-button.tsx'
import { Ago } from '../../../../../ui/time.tsx'

type Props = {
  readonly bundles: readonly ReleaseBundle[]
  readonly release: string
  readonly place: UploadPlace
}

/** The uploads of the release, with their size and last use. */
export function ReleaseFiles({ bundles, release, place }: Props) {
  const kept = usePaths()
  const all = (name: string) => <Link to={kept.sourceMaps(place.org, place.project)}>{name}</Link>
  if (bundles.length === 0)
    return <HowToUpload release={release} place={place} all={all('all source maps of the project')} />
  return (
    <>
      <div className="perf-scroll" role="region" aria-label="Uploads" tabIndex={0}>
        <table className="perf-table">
          <thead>
            <tr>
              <th scope="col">Uploaded</th>
              <th scope="col">Dist</th>
              <th scope="col" className="col-num">
                Files
              </th>
              <th scope="col" className="col-num">
                Maps
              </th>
              <th scope="col" className="col-num">
                Size
              </th>
              <th scope="col" className="col-num">
                On disk
              </th>
              <th scope="col">Last used</th>
            </tr>
          </thead>
          <tbody>
            {bundles.map((bundle) => (
              <tr key={bundle.id}>
                <td>
                  <Ago atMs={bundle.createdMs} />
                </td>
                <td>{bundle.dist === '' ? <span className="muted">–</span> : <bdi>{bundle.dist}</bdi>}</td>
                <td className="col-num num">{formatExact(bundle.files)}</td>
                <td className="col-num num">
                  {formatExact(bundle.maps)}
                  {bundle.problems > 0 && (
                    <span className="perf-bad"> {formatExact(bundle.problems)} cannot be used</span>
                  )}
                </td>
                <td className="col-num num">{formatBytes(bundle.bytes)}</td>
                <td className="col-num num">{formatBytes(bundle.storedBytes)}</td>
                <td>
                  {bundle.lastUsedMs === undefined ? (
                    <span className="muted">not used yet</span>
                  ) : (
                    <Ago atMs={bundle.lastUsedMs} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>{all('All source maps of the project')}</p>
    </>
  )
}

function HowToUpload({ release, place, all }: Omit<Props, 'bundles'> & { readonly all: ReactNode }) {
  return (
    <>
      <p className="release-text">
        No files uploaded for this release. Files matched by debug ID are under {all}. To upload, run in your
        build folder:
      </p>
      <Snippet
        what="commands that upload source maps"
        code={`${sentryCliInject(place)}\n${sentryCliUpload(place, { release, dist: '', urlPrefix: '~/' })}`}
      />
    </>
  )
}
