import type { Page, Upload, UploadFile } from '@sonde/queries'
import { Form, Link, useParams } from '@sonde/router'
import type { ReactNode } from 'react'
import { formatExact } from '../../../../format/format-count.ts'
import { bytesText } from '../../../../parts/figures/figures-text.ts'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { paths } from '../../../../paths.ts'
import { Tick } from '../../../../ui/field.tsx'
import { Section, TableFrame } from '../../../../ui/section.tsx'
import { ExactTime } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { UploadSearch } from './upload-search.ts'
import { MapPages } from './upload-table.tsx'

type Props = {
  readonly upload: Upload & { readonly by: string; readonly used: string }
  readonly files: Page<UploadFile>
  readonly search: UploadSearch
  readonly mayDelete: boolean
}

const TYPES: Readonly<Record<UploadFile['type'], string>> = {
  source: 'source',
  minified_source: 'script',
  source_map: 'map',
  indexed_ram_bundle: 'RAM bundle',
  breakpad: 'Breakpad symbols',
  elf: 'ELF',
  macho: 'Mach-O',
  proguard: 'ProGuard mapping',
  dartsymbolmap: 'Dart symbol map',
}

/** One upload: what it is for, and each of its files with what is wrong with it. */
export function UploadPanel({ upload, files, search, mayDelete }: Props) {
  const { org, project } = useParams<'org' | 'project'>()
  const here = { upload: String(upload.id) }
  return (
    <>
      <Section id="upload" title="Details">
        <dl className="facts">
          <Fact name="Release">
            {upload.release === '' ? 'none (matched by debug ID)' : <UserText text={upload.release} />}
          </Fact>
          {upload.dist !== '' && (
            <Fact name="Dist">
              <UserText text={upload.dist} />
            </Fact>
          )}
          <Fact name="Uploaded">
            <ExactTime atMs={upload.createdMs} /> by <UserText text={upload.by} />
            {upload.kind === 'release_files' && ', file by file'}
            {upload.kind === 'debug_file' && ', a debug file'}
          </Fact>
          <Fact name="Last used">{upload.used}</Fact>
          <Fact name="Size">
            {bytesText(upload.bytes)}, {bytesText(upload.storedBytes)} on disk
          </Fact>
        </dl>
      </Section>
      <Section
        id="files"
        title="Files"
        note={`${formatExact(upload.files)}, ${
          upload.problems === 0
            ? 'no problems'
            : `${formatExact(upload.problems)} with problems (listed first)`
        }`}
      >
        <form className="maps-search" method="get" role="search">
          <input type="hidden" name="upload" value={upload.id} />
          <label className="sr-only" htmlFor="file-search">
            Search files
          </label>
          <input
            id="file-search"
            className="input"
            type="search"
            name="file"
            defaultValue={search.file}
            placeholder="Name or debug ID"
          />
          <button type="submit" className="button">
            Search
          </button>
        </form>
        {files.rows.length === 0 ? (
          <p className="muted maps-none">
            No files match <UserText text={search.file} />.{' '}
            <Link to={paths.sourceMaps(org, project, here)}>Show all</Link>
          </p>
        ) : (
          <FileTable files={files.rows} />
        )}
        <MapPages
          page={files}
          to={(cursor) => paths.sourceMaps(org, project, { ...here, file: search.file || undefined, cursor })}
        />
      </Section>
      {mayDelete && (
        <Section id="danger" title="Delete upload">
          <DeleteUpload id={upload.id} />
        </Section>
      )}
    </>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function FileTable({ files }: { readonly files: readonly UploadFile[] }) {
  return (
    <TableFrame label="Files in this upload">
      <table className="maps-table">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">Type</th>
            <th scope="col">Debug ID</th>
            <th scope="col" className="col-end">
              Size
            </th>
          </tr>
        </thead>
        <tbody>
          {files.map(({ id, url, type, debugId, mapRef, bytes, problem, problemDetail }) => (
            <tr key={id}>
              <th scope="row" className="maps-name">
                <UserText text={url} />
                {mapRef !== '' && (
                  <span className="maps-detail muted">
                    source map: <UserText text={mapRef.startsWith('data:') ? 'inline' : mapRef} />
                  </span>
                )}
                {problem !== '' && (
                  <span className="maps-detail maps-trouble">
                    {problem.replaceAll('_', ' ')}
                    {problemDetail !== '' && (
                      <>
                        : <UserText text={problemDetail} />
                      </>
                    )}
                  </span>
                )}
              </th>
              <td className="nowrap">{TYPES[type]}</td>
              <td>
                {debugId === '' ? (
                  <span className="muted">none</span>
                ) : (
                  <code className="maps-id">{debugId}</code>
                )}
              </td>
              <td className="col-end" title={`${formatExact(bytes)} bytes`}>
                {bytesText(bytes)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

function DeleteUpload({ id }: { readonly id: number }) {
  const { errorOf } = useFormState('delete-upload')
  const error = errorOf('confirm')
  return (
    <Form className="settings-form danger">
      <input type="hidden" name="form" value="delete-upload" />
      <input type="hidden" name="uploadId" value={id} />
      <p>
        New events can no longer be symbolicated with these files. Stored events keep their stack traces.
        Upload the files again to restore them.
      </p>
      <Tick name="confirm" isOn={false}>
        Delete it in all projects it was uploaded to
      </Tick>
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      <button type="submit" className="button button-danger">
        Delete upload
      </button>
    </Form>
  )
}
