/** What is stored, by kind and by project. */
import '../figures/status.css'
import type { InstallationStorage, ProjectStorage } from '@sonde/queries'
import { Link } from '@sonde/router'
import { formatExact, formatShare } from '../../format/format-count.ts'
import { paths } from '../../paths.ts'
import { TableFrame } from '../../ui/section.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { bytesText } from '../figures/figures-text.ts'
import type { KindNames } from './kind-names.server.ts'

export function Bytes({ bytes }: { readonly bytes: number }) {
  return <span title={`${formatExact(bytes)} bytes`}>{bytesText(bytes)}</span>
}

type KindTableProps = Pick<InstallationStorage, 'kinds' | 'bytes'> & { readonly names: KindNames }

export function KindTable({ kinds, bytes: all, names }: KindTableProps) {
  return (
    <TableFrame label="Stored data by kind">
      <table className="status-table">
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">Contents</th>
            <th scope="col" className="num col-end">
              Items
            </th>
            <th scope="col" className="num col-end">
              Size
            </th>
            <th scope="col" className="num col-end">
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {kinds.map(({ kind, rows, bytes }) => (
            <tr key={kind}>
              <th scope="row">{names[kind].name}</th>
              <td className="muted">{names[kind].holds}</td>
              <td className="num col-end">{formatExact(rows)}</td>
              <td className="num col-end">
                <Bytes bytes={bytes} />
              </td>
              <td className="num col-end">{formatShare(bytes, all)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td />
            <td />
            <td className="num col-end">
              <Bytes bytes={all} />
            </td>
            <td />
          </tr>
        </tfoot>
      </table>
    </TableFrame>
  )
}

type ProjectTableProps = {
  readonly projects: readonly ProjectStorage[]
  readonly kinds: InstallationStorage['kinds']
  readonly names: KindNames
  /** The way to the days of a project. */
  readonly daysOf?: (project: number) => string
}

/** A column for each kind of which something is stored; it may be wider than the window and then scrolls. */
export function ProjectTable({ projects, kinds, names, daysOf }: ProjectTableProps) {
  return (
    <TableFrame label="Stored data by project">
      <table className="status-table">
        <thead>
          <tr>
            <th scope="col">Project</th>
            <th scope="col" className="num col-end">
              Total
            </th>
            {kinds.map(({ kind }) => (
              <th scope="col" key={kind} className="num col-end">
                {names[kind].name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {projects.map(({ projectId, org, project, bytes: total, kinds: of }) => (
            <tr key={projectId}>
              <th scope="row">
                <Link to={paths.retention(org, project)}>
                  <UserText text={`${org}/${project}`} />
                </Link>
              </th>
              <td className="num col-end">
                {daysOf ? (
                  <Link to={daysOf(projectId)}>
                    <Bytes bytes={total} />
                  </Link>
                ) : (
                  <Bytes bytes={total} />
                )}
              </td>
              {kinds.map(({ kind }) => (
                <td key={kind} className="num col-end">
                  {of[kind] ? <Bytes bytes={of[kind].bytes} /> : <span className="muted">–</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}
