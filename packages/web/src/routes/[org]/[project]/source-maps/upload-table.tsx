import type { Page, Upload } from '@sonde/queries'
import { Link, useParams } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import { bytesText } from '../../../../parts/figures/figures-text.ts'
import { paths } from '../../../../paths.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Count } from '../../../../ui/count.tsx'
import { TableFrame } from '../../../../ui/section.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { UploadSearch } from './upload-search.ts'

type Shown = Upload & { readonly by: string; readonly used: string }
type Props = {
  readonly uploads: Omit<Page<Upload>, 'rows'> & {
    readonly rows: readonly Shown[]
    readonly filesSearchedIn: number
  }
  readonly search: UploadSearch
}

/** Every upload: what it is for, what is in it, whether it is used. */
export function UploadTable({ uploads, search }: Props) {
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <>
      <form className="maps-search" method="get" role="search">
        <label className="sr-only" htmlFor="upload-search">
          Search uploads
        </label>
        <input
          id="upload-search"
          className="input"
          type="search"
          name="q"
          defaultValue={search.q}
          placeholder="Release, debug ID or file"
        />
        <button type="submit" className="button">
          Search
        </button>
      </form>
      {uploads.rows.length === 0 ? (
        <p className="muted maps-none">
          No uploads match <UserText text={search.q} /> by release or debug ID, or by file name in the newest{' '}
          {uploads.filesSearchedIn}. <Link to={paths.sourceMaps(org, project)}>Show all</Link>
        </p>
      ) : (
        <TableFrame label="Uploads">
          <table className="maps-table">
            <thead>
              <tr>
                <th scope="col">Upload</th>
                <th scope="col" className="col-end">
                  {' '}
                  Debug IDs{' '}
                </th>
                <th scope="col" className="col-end">
                  Files
                </th>
                <th scope="col" className="col-end" title="Uncompressed">
                  Size
                </th>
                <th scope="col" className="col-end" title="On disk">
                  Stored
                </th>
                <th scope="col">Uploaded</th>
                <th scope="col" title="Day of last use for symbolication">
                  Used
                </th>
              </tr>
            </thead>
            <tbody>
              {uploads.rows.map((upload) => (
                <tr key={upload.id}>
                  <th scope="row" className="maps-name">
                    <Link
                      to={paths.sourceMaps(org, project, { upload: String(upload.id) })}
                      prefetch="intent"
                    >
                      {upload.release === '' ? (
                        `Debug IDs, upload ${upload.id}`
                      ) : (
                        <UserText text={upload.release} />
                      )}
                    </Link>{' '}
                    {upload.dist !== '' && (
                      <span className="muted">
                        dist <UserText text={upload.dist} />
                      </span>
                    )}{' '}
                    {upload.problems > 0 && (
                      <Badge tone="bad">
                        {upload.problems === 1 ? '1 problem' : `${formatExact(upload.problems)} problems`}
                      </Badge>
                    )}
                  </th>
                  <td className="col-end">
                    <Count value={upload.debugIds} noun="debug ID" />
                  </td>
                  <td className="col-end">
                    <Count value={upload.files} noun="file" />
                  </td>
                  <td className="col-end" title={`${formatExact(upload.bytes)} bytes`}>
                    {bytesText(upload.bytes)}
                  </td>
                  <td className="col-end" title={`${formatExact(upload.storedBytes)} bytes`}>
                    {bytesText(upload.storedBytes)}
                  </td>
                  <td>
                    <span className="nowrap">
                      <Ago atMs={upload.createdMs} />
                    </span>{' '}
                    <span className="muted">
                      by <UserText text={upload.by} />
                    </span>
                  </td>
                  <td className="nowrap">{upload.used}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
      <MapPages
        page={uploads}
        to={(cursor) => paths.sourceMaps(org, project, { q: search.q || undefined, cursor })}
      />
    </>
  )
}

type Edge = { readonly cursor: string; readonly hasResults: boolean }
type PagesProps = {
  readonly page: { readonly previous: Edge; readonly next: Edge }
  readonly to: (cursor: string) => string
}

/** The ways on; nothing where all is on one page. */
export function MapPages({ page: { previous, next }, to }: PagesProps) {
  if (!previous.hasResults && !next.hasResults) return null
  const step = (name: string, { cursor, hasResults }: Edge) =>
    hasResults ? (
      <Link className="button button-small" to={to(cursor)} prefetch="intent">
        {name}
      </Link>
    ) : (
      <span className="button button-small" aria-disabled="true">
        {name}
      </span>
    )
  return (
    <nav className="maps-pages" aria-label="Pages">
      {step('Previous', previous)}
      {step('Next', next)}
    </nav>
  )
}
