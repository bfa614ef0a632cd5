import { Link, usePageData, useParams } from '@sonde/router'
import { paths } from '../../../../paths.ts'
import { SavedNotice } from '../../../../parts/forms/saved-notice.tsx'
import { Section } from '../../../../ui/section.tsx'
import type { loadSourceMaps } from './load-source-maps.server.ts'
import { MapSetup } from './map-setup.tsx'
import { QuotaLine } from './quota-line.tsx'
import { RepairList } from './repair-list.tsx'
import { UnreadableTable } from './unreadable-table.tsx'
import { UploadPanel } from './upload-panel.tsx'
import { UploadTable } from './upload-table.tsx'

export type SourceMapsData = Awaited<ReturnType<typeof loadSourceMaps>>

export function SourceMapsScreen() {
  const data = usePageData<() => unknown>() as SourceMapsData
  const { org, project } = useParams<'org' | 'project'>()
  const { place, quota, search } = data
  if ('upload' in data) {
    return (
      <div className="page">
        <div className="page-head">
          <h1>
            Upload {data.upload.id} <span className="muted">of {project}</span>
          </h1>
          <Link to={paths.sourceMaps(org, project)}>All uploads</Link>
        </div>
        <UploadPanel {...data} />
      </div>
    )
  }
  const { uploads, unreadable, repairs } = data
  const canRepair = data.mayDelete && unreadable.unreadable > 0
  const isEmpty = uploads.rows.length === 0 && search.q === '' && search.cursor === ''
  return (
    <div className="page">
      <div className="page-head">
        <h1>
          Source maps <span className="muted">of {project}</span>
        </h1>
        <QuotaLine quota={quota} />
      </div>
      <SavedNotice />
      {isEmpty && (
        <Section id="setup" title="No uploads yet" note="Stack traces of minified code stay minified.">
          <MapSetup place={place} />
        </Section>
      )}
      <Section id="unreadable" title="Unsymbolicated errors" note="Errors with minified stack traces.">
        <UnreadableTable unreadable={unreadable} period={search.period} />
      </Section>
      {(repairs.length > 0 || canRepair) && (
        <Section id="repairs" title="Reprocessing" note="Events symbolicated again after a late upload.">
          <RepairList repairs={repairs} canRepair={canRepair} />
        </Section>
      )}
      {!isEmpty && (
        <>
          <Section id="uploads" title="Uploads">
            <UploadTable uploads={uploads} search={search} />
          </Section>
          <Section id="setup" title="Set up uploads">
            <details>
              <summary>Bundlers, sentry-cli and sonde</summary>
              <MapSetup place={place} />
            </details>
          </Section>
        </>
      )}
    </div>
  )
}
