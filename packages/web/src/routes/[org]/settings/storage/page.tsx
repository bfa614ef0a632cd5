import { usePageData } from '@sonde/router'
import { KindTable, ProjectTable } from '../../../../parts/storage/storage-tables.tsx'
import { EmptyState, Section } from '../../../../ui/section.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { SettingsHead } from '../settings-head.tsx'
import type { load } from './page.server.ts'

export function title(data: unknown) {
  return `Storage · ${(data as { orgName: string }).orgName} · Sonde`
}

export default function OrgStorage() {
  const { storage, names, orgName } = usePageData<typeof load>()
  return (
    <div className="page">
      <SettingsHead name={orgName} here="storage">
        <span className="muted">storage</span>
      </SettingsHead>
      {storage ? (
        <Stored storage={storage} names={names} />
      ) : (
        <EmptyState title="Only owners and admins can see the storage">
          <p>Ask an owner or admin of this organization.</p>
        </EmptyState>
      )}
    </div>
  )
}

type Data = ReturnType<typeof usePageData<typeof load>>
type StoredProps = { readonly storage: NonNullable<Data['storage']>; readonly names: Data['names'] }

function Stored({ storage, names }: StoredProps) {
  const { measuredMs, projects, kinds, bytes } = storage
  return (
    <>
      {measuredMs === undefined || projects.length === 0 ? (
        <EmptyState title="Nothing is stored yet">
          <p>What each project stores is measured once an hour. Send an event, and look again after that.</p>
        </EmptyState>
      ) : (
        <>
          <p className="muted">
            Measured <Ago atMs={measuredMs} />, once an hour. Files are exact; tables are estimated by their
            rows.
          </p>
          <Section id="kinds" title="By kind">
            <KindTable kinds={kinds} bytes={bytes} names={names} />
          </Section>
          <Section id="projects" title="By project" note="The name leads to its data retention.">
            <ProjectTable projects={projects} kinds={kinds} names={names} />
          </Section>
        </>
      )}
    </>
  )
}
