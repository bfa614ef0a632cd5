import '../../../../parts/setup/setup.css'
import type { RecentReprocessing } from '@sonde/queries'
import { Form, Link, usePageData, useParams } from '@sonde/router'
import { countOf, formatCount, formatExact, formatShare } from '../../../../format/format-count.ts'
import { bytesText } from '../../../../parts/figures/figures-text.ts'
import { SavedNotice } from '../../../../parts/forms/saved-notice.tsx'
import {
  BUNDLERS,
  sentryCliInject,
  sentryCliUpload,
  sondeVerify,
  type UploadPlace,
} from '../../../../parts/upload-commands.ts'
import { paths } from '../../../../paths.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Snippet } from '../../../../ui/copy-button.tsx'
import { Section } from '../../../../ui/section.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'
import { UnreadableTable } from './unreadable-table.tsx'
import { UploadPanel } from './upload-panel.tsx'
import { UploadTable } from './upload-table.tsx'

export type SourceMapsData = Awaited<ReturnType<typeof load>>

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
  const { uploads, unreadable, reprocessing } = data
  const canReprocess = data.mayDelete && unreadable.unreadable > 0
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
      {(reprocessing.length > 0 || canReprocess) && (
        <Section id="reprocessing" title="Reprocessing" note="Events symbolicated again after a late upload.">
          <ReprocessingList runs={reprocessing} canReprocess={canReprocess} />
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

type Quota = {
  readonly fileBytes: number
  readonly chunkBytes: number
  /** Undefined: this Sonde takes no uploads. */
  readonly quotaBytes?: number | undefined
}

/** What the whole organization has stored of uploads, and how much of what it may. */
function QuotaLine({ quota: { fileBytes, chunkBytes, quotaBytes } }: { readonly quota: Quota }) {
  const used = fileBytes + chunkBytes
  return (
    <p className="muted" title={`${formatExact(used)} bytes on disk, all projects of the organization`}>
      {bytesText(used)}
      {quotaBytes === undefined
        ? ' used'
        : ` of ${bytesText(quotaBytes)} used (${formatShare(used, quotaBytes)})`}
    </p>
  )
}

/** From nothing to readable stacks: a token, one way to upload, and how to see that it worked. Folds, so without JavaScript too. */
function MapSetup({ place }: { readonly place: UploadPlace }) {
  return (
    <ol className="setup-steps">
      <li>
        <h3>Create an auth token</h3>
        <p>
          <Link to={`${paths.account()}#tokens`}>Create a build token</Link> and pass it to your build as{' '}
          <code>SENTRY_AUTH_TOKEN</code>.
        </p>
      </li>
      <li>
        <h3>Upload source maps from your build</h3>
        {BUNDLERS.map(({ id, name, install, file, code }) => (
          <details key={id} className="maps-way" name="maps-way" open={id === 'vite'}>
            <summary>{name}</summary>
            <Snippet code={install} what={`install command for ${name}`} />
            <p className="muted">{file}</p>
            <Snippet code={code(place)} what={`setting for ${name}`} />
          </details>
        ))}
        <details className="maps-way" name="maps-way">
          <summary>sentry-cli, after any bundler</summary>
          <Snippet code={`${sentryCliInject(place)}\n${sentryCliUpload(place)}`} what="sentry-cli commands" />
        </details>
      </li>
      <li>
        <h3>Verify</h3>
        <p>Run in the build folder before you deploy. Exits with 1 if any file can’t be symbolicated.</p>
        <Snippet code={sondeVerify()} what="verify command" />
      </li>
    </ol>
  )
}

type Shown = RecentReprocessing & { readonly by: string }

type ReprocessingListProps = { readonly runs: readonly Shown[]; readonly canReprocess: boolean }

function ReprocessingList({ runs, canReprocess }: ReprocessingListProps) {
  return (
    <>
      {canReprocess && (
        <Form className="maps-reprocess">
          <input type="hidden" name="form" value="reprocess" />
          <p className="muted">Runs automatically after each upload.</p>
          <button type="submit" className="button">
            Reprocess all
          </button>
        </Form>
      )}
      <ul className="maps-reprocessings">
        {runs.map((run) => (
          <li key={run.id}>
            <ReprocessingState run={run} /> <ReprocessingFigures run={run} />{' '}
            <span className="muted">
              after {run.cause === 'upload' ? 'upload' : 'request'} by <UserText text={run.by} />{' '}
              <Ago atMs={run.requestedMs} />
              {run.release !== '' && (
                <>
                  {' '}
                  for <UserText text={run.release} />
                </>
              )}
            </span>
            {run.trouble !== '' && <p className="maps-trouble">Paused, will retry: {run.trouble}</p>}
          </li>
        ))}
      </ul>
    </>
  )
}

function ReprocessingState({ run: { startedMs, finishedMs, total, seen } }: { readonly run: Shown }) {
  if (finishedMs !== undefined) return <Badge tone="good">done</Badge>
  if (startedMs === undefined) return <Badge>queued</Badge>
  return <Badge>{total === undefined ? 'in progress' : `in progress, ${formatShare(seen, total)}`}</Badge>
}

function ReprocessingFigures({ run: { seen, changed, moved, merged, finishedMs } }: { readonly run: Shown }) {
  if (seen === 0) return <>{finishedMs === undefined ? 'not started' : 'no stored events affected'}</>
  const parts = [
    `${countOf(seen, 'event')} processed, ${formatCount(changed)} updated`,
    moved > 0 && `${countOf(moved, 'event')} moved to another issue`,
    merged > 0 && `${countOf(merged, 'issue')} merged`,
  ].filter((part) => part !== false)
  return <>{parts.join(', ')}</>
}
