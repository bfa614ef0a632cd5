import '../../../../parts/figures/status.css'
import '../../../../parts/forms/settings.css'
import { Form, Link, usePageData, useParams } from '@sonde/router'
import { SavedNotice } from '../../../../parts/forms/saved-notice.tsx'
import { paths } from '../../../../paths.ts'
import { EmptyState, Section } from '../../../../ui/section.tsx'
import { SettingsHead } from '../settings-head.tsx'
import { ExportList } from './export-list.tsx'
import type { load } from './page.server.ts'
import { ExportSchedule } from './schedule-form.tsx'

export function title(data: unknown) {
  return `Export · ${(data as { orgName: string }).orgName} · Sonde`
}

export default function OrgExport() {
  const { orgName, data } = usePageData<typeof load>()
  const { org } = useParams<'org'>()
  return (
    <div className="page page-narrow">
      <SettingsHead name={orgName} here="export">
        <span className="muted">export</span>
      </SettingsHead>
      <SavedNotice />
      {data ? (
        <Exports {...data} org={org} />
      ) : (
        <EmptyState title="Only owners export everything">
          <p>
            Ask one of them. They are listed under{' '}
            <Link className="text-link" to={paths.orgSettings(org)}>
              Members and tokens
            </Link>
            .
          </p>
        </EmptyState>
      )}
    </div>
  )
}

type ExportsProps = NonNullable<Awaited<ReturnType<typeof load>>['data']> & { readonly org: string }

function Exports({ plan, runs, hasPlace, org }: ExportsProps) {
  const isOnItsWay = runs.some(({ finishedMs }) => finishedMs === undefined)
  return (
    <>
      <Section
        id="export"
        title="Export everything"
        note="Events, spans, logs and all other telemetry as Parquet; issues, people, rules and settings as JSON lines; attachments, recordings and source maps as they are. Passwords, tokens and secrets stay here."
      >
        {hasPlace ? (
          <Form className="settings-line">
            <input type="hidden" name="form" value="start" />
            <button type="submit" className="button" disabled={isOnItsWay}>
              {isOnItsWay ? 'An export is on its way' : 'Export now'}
            </button>
          </Form>
        ) : (
          <p>
            This machine has no place for exports. Whoever runs it sets <code>SONDE_EXPORT_TO</code> to a
            folder or a bucket, or writes one with <code>sonde export {org} --to DIR</code>.
          </p>
        )}
      </Section>
      <Section id="exports" title="Exports">
        <ExportList runs={runs} />
      </Section>
      {hasPlace && <ExportSchedule plan={plan} />}
    </>
  )
}
