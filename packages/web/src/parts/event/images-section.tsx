/** Programs and libraries that were loaded when a native event was sent: what each is, and whether its debug file is here. */
import type { EventImage, EventImages } from '@sonde/queries'
import { Link, useParams } from '@sonde/router'
import { countOf } from '../../format/format-count.ts'
import { paths } from '../../paths.ts'
import { Section, TableFrame } from '../../ui/section.tsx'
import { titleOf, UserText } from '../../ui/user-text.tsx'
import { LazyFold } from './lazy-fold.tsx'

/** Those that frames lie in stand on the page, the others behind a fold. */
export function ImagesSection({ images: { shown, count } }: { readonly images: EventImages }) {
  const { org, project } = useParams<'org' | 'project'>()
  const used = shown.filter(({ isUsed }) => isUsed)
  const others = shown.filter(({ isUsed }) => !isUsed)
  const missing = used.filter(({ isUploaded }) => !isUploaded).length
  return (
    <Section
      id="images"
      title="Loaded images"
      note={`${countOf(count, 'image')}${missing > 0 ? `, ${missing} in the stacks without a debug file` : ''}`}
    >
      {used.length > 0 && <ImageTable images={used} label="Images in the stacks" />}
      {others.length > 0 && (
        <LazyFold className="fold" isOpen={used.length === 0} summary={countOf(others.length, 'other image')}>
          {() => <ImageTable images={others} label="Other images" />}
        </LazyFold>
      )}
      {shown.length < count && <p className="muted">{count - shown.length} more: see the raw JSON</p>}
      <p className="muted">
        Debug files are found by debug id.{' '}
        <Link to={paths.sourceMaps(org, project)} prefetch="intent">
          Uploaded files
        </Link>
      </p>
    </Section>
  )
}

function ImageTable({ images, label }: { readonly images: readonly EventImage[]; readonly label: string }) {
  return (
    <TableFrame label={label}>
      <table className="image-table">
        <thead>
          <tr>
            <th scope="col">Image</th>
            <th scope="col">Debug file</th>
            <th scope="col">Debug id</th>
            <th scope="col">Address</th>
          </tr>
        </thead>
        <tbody>
          {images.map(({ name, debugId, codeId, address, size, isUploaded }, index) => (
            <tr key={index}>
              <th scope="row" title={titleOf(name)}>
                <UserText text={name === '' ? 'unnamed' : baseName(name)} />
              </th>
              <td className={isUploaded ? undefined : 'image-missing'}>{statusOf(debugId, isUploaded)}</td>
              <td title={codeId === '' ? undefined : titleOf(`code id ${codeId}`)}>
                {debugId === '' ? <span className="muted">none</span> : <code>{debugId}</code>}
              </td>
              <td>
                <code>
                  {address}
                  {size !== undefined && ` – 0x${(Number(address) + size).toString(16)}`}
                </code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

const statusOf = (debugId: string, isUploaded: boolean): string =>
  isUploaded ? 'uploaded' : debugId === '' ? 'no debug id' : 'not uploaded'

const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
