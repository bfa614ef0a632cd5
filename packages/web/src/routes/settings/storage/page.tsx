import '../../../parts/figures/status.css'
import { Link, usePageData } from '@sonde/router'
import { formatExact, formatShare } from '../../../format/format-count.ts'
import { bytesText } from '../../../parts/figures/figures-text.ts'
import { Bytes, KindTable, ProjectTable } from '../../../parts/storage/storage-tables.tsx'
import { paths } from '../../../paths.ts'
import { EmptyState, Section, TableFrame } from '../../../ui/section.tsx'
import { Ago } from '../../../ui/time.tsx'
import { UserText } from '../../../ui/user-text.tsx'
import type { load } from './page.server.ts'

export function title() {
  return 'Storage · Sonde'
}

type Data = ReturnType<typeof usePageData<typeof load>>

export default function Storage() {
  const { storage, disk, names, project } = usePageData<typeof load>()
  const { measuredMs, projects, kinds, bytes, days, forecast } = storage
  return (
    <div className="page status-page">
      <div className="page-head">
        <h1>Storage</h1>
        <p className="muted">
          {measuredMs === undefined ? (
            'Not measured yet'
          ) : (
            <>
              Measured <Ago atMs={measuredMs} />, once an hour
            </>
          )}
          . See also{' '}
          <Link className="text-link" to={paths.status()}>
            System status
          </Link>
          .
        </p>
      </div>
      {disk.engines.length > 0 && <DiskFigures disk={disk} forecast={forecast} />}
      {projects.length === 0 ? (
        <Section id="kinds" title="By kind">
          <EmptyState title="Nothing is stored yet" docs="operate/retention">
            <p>
              What each project stores is measured once an hour. Send an event, and look again after that.
            </p>
          </EmptyState>
        </Section>
      ) : (
        <>
          <Section id="kinds" title="By kind" note="Files are exact; tables are estimated by their rows.">
            <KindTable kinds={kinds} bytes={bytes} names={names} />
          </Section>
          <Section
            id="projects"
            title="By project"
            note="The name leads to its data retention, the total to its days."
          >
            <ProjectTable
              projects={projects}
              kinds={kinds}
              names={names}
              daysOf={(id) => `${paths.storage(id)}#days`}
            />
          </Section>
          <Section
            id="days"
            title="By day"
            note={
              project ? (
                <>
                  <UserText text={`${project.org}/${project.project}`} />, last 30 days (UTC).{' '}
                  <Link to={`${paths.storage()}#days`}>Show all projects</Link>
                </>
              ) : (
                'All projects, last 30 days (UTC).'
              )
            }
          >
            <DayTable days={days} kinds={kinds} names={names} />
          </Section>
        </>
      )}
      {disk.engines.length > 0 && (
        <Section id="disk" title="Disk" note="What the files occupy.">
          <DiskTable disk={disk} bytes={bytes} />
        </Section>
      )}
    </div>
  )
}

function DiskFigures({ disk, forecast }: { disk: Data['disk']; forecast: Data['storage']['forecast'] }) {
  const { freeBytes, sizeBytes } = disk
  const used = sizeBytes - freeBytes
  const perDay = forecast.kind === 'unknown' ? undefined : forecast.bytesPerDay
  return (
    <dl className="figures">
      <Figure name="Disk used" value={formatShare(used, sizeBytes)} exact={`${formatExact(used)} bytes`} />
      <Figure
        name="Free"
        value={bytesText(freeBytes)}
        exact={`${formatExact(freeBytes)} of ${formatExact(sizeBytes)} bytes`}
      />
      <Figure
        name="Growth per day"
        value={perDay === undefined ? 'not known yet' : signedBytes(perDay)}
        exact="A straight line through the last 14 days"
      />
      <Figure name="Disk full" value={fullText(forecast)} exact="If it goes on as in the last 14 days" />
    </dl>
  )
}

const signedBytes = (bytes: number): string =>
  bytes < 0 ? `−${bytesText(Math.round(-bytes))}` : `+${bytesText(Math.round(bytes))}`

function fullText(forecast: Data['storage']['forecast']): string {
  if (forecast.kind === 'unknown') return `not known yet (${forecast.days} of ${forecast.neededDays} days)`
  if (forecast.kind === 'not-filling') return 'not in 5 years'
  return new Date(forecast.fullMs).toISOString().slice(0, 10)
}

function Figure({ name, value, exact }: { name: string; value: string; exact: string }) {
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd title={exact}>{value}</dd>
    </div>
  )
}

function DayTable({ days, kinds, names }: Pick<Data['storage'], 'days' | 'kinds'> & Pick<Data, 'names'>) {
  return (
    <TableFrame label="Stored data by day">
      <table className="status-table">
        <thead>
          <tr>
            <th scope="col">Received on</th>
            <th scope="col" className="num col-end">
              Stored now
            </th>
            <th scope="col" className="num col-end" title="Before anything of the day was deleted">
              Came in
            </th>
            {kinds.map(({ kind }) => (
              <th scope="col" key={kind} className="num col-end">
                {names[kind].name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ dayMs, bytes, broughtBytes, kinds: of }) => (
            <tr key={dayMs}>
              <th scope="row">{new Date(dayMs).toISOString().slice(0, 10)}</th>
              <td className="num col-end">
                <Bytes bytes={bytes} />
              </td>
              <td className="num col-end">
                <Bytes bytes={broughtBytes} />
              </td>
              {kinds.map(({ kind }) => (
                <td key={kind} className="num col-end">
                  {of[kind] === undefined ? <span className="muted">–</span> : <Bytes bytes={of[kind]} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

const SHOWN = {
  log: ['Log', 'received and not deleted yet'],
  records: ['Records', 'issues, projects, users'],
} as const

/** What lies on the disk and is no project's: the log, the records, and what the engines need besides. */
function DiskTable({ disk, bytes }: { readonly disk: Data['disk']; readonly bytes: number }) {
  const sizeOf = (name: 'telemetry' | 'blobs'): number =>
    disk.engines.find((engine) => engine.name === name)?.bytes ?? 0
  const besides = Math.max(0, sizeOf('telemetry') + sizeOf('blobs') - bytes)
  const others = disk.sizeBytes - disk.freeBytes - disk.dataBytes
  const lines = [
    ['Data of projects', 'the kinds above', bytes],
    ['Telemetry and files besides', 'merges, system tables, dead letters, uploads in progress', besides],
    ...(['log', 'records'] as const).flatMap((name) => {
      const engine = disk.engines.find((each) => each.name === name)
      return engine ? [[...SHOWN[name], engine.bytes] as const] : []
    }),
    ['Other files on this disk', 'not of Sonde', Math.max(0, others)],
  ] as const
  return (
    <TableFrame label="Use of the disk">
      <table className="status-table">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Contents</th>
            <th scope="col" className="num col-end">
              Size
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(([what, holds, size]) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td className="muted">{holds}</td>
              <td className="num col-end">
                <Bytes bytes={size} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}
