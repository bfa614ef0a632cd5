/** The files that came with the event. A browser is shown only what its bytes were seen to be. */
import { Form } from '@sonde/router'
import { lazy, Suspense, useState } from 'react'
import { countOf, formatBytes, formatExact } from '../../format/format-count.ts'
import { Section } from '../../ui/section.tsx'
import { UserText } from '../../ui/user-text.tsx'
import type { IssueLinks } from '../issue/issue-links.ts'
import { LazyFold } from './lazy-fold.tsx'

// What can be seen of a file without saving it: the image, the beginning of a text, a view hierarchy as a tree.

/** Without its code the rest of the page stays. */
const TextPreview = lazy(() => import('./text-preview.tsx').catch(() => ({ default: () => null })))

type AttachmentPreviewProps = { readonly attachment: ShownAttachment; readonly href: string }

/** A larger one is opened by who wants it: a phone should not load it unasked. */
const MAX_IMAGE_BYTES = 5_000_000
/** As JSON it has to be read whole. */
const MAX_TREE_BYTES = 500_000
const MAX_TEXT_BYTES = 16_000

function AttachmentPreview({ attachment, href }: AttachmentPreviewProps) {
  const { shownAs, bytes, name } = attachment
  if (shownAs.startsWith('image/')) {
    if (bytes > MAX_IMAGE_BYTES) return null
    return <ImagePreview name={name} href={`${href}?view`} />
  }
  if (shownAs !== 'text/plain') return null
  const isTree = isJson(attachment) && bytes <= MAX_TREE_BYTES
  return (
    <LazyFold className="fold" summary={isTree ? 'As a tree' : 'Preview'}>
      {() => (
        <Suspense fallback={<p className="muted">Loading…</p>}>
          <TextPreview
            name={name}
            href={`${href}?view`}
            bytes={bytes}
            isTree={isTree}
            maxBytes={isTree ? MAX_TREE_BYTES : MAX_TEXT_BYTES}
          />
        </Suspense>
      )}
    </LazyFold>
  )
}

function ImagePreview({ name, href }: { readonly name: string; readonly href: string }) {
  const [isBroken, setBroken] = useState(false)
  if (isBroken)
    return (
      <p className="muted" role="alert">
        The image cannot be shown: its file is missing or damaged.
      </p>
    )
  // It may have failed before this ran.
  const look = (image: HTMLImageElement | null): void => {
    if (image?.complete && image.naturalWidth === 0 && image.currentSrc !== '') setBroken(true)
  }
  return (
    <a href={href} target="_blank" rel="noreferrer" className="attachment-image">
      <img
        ref={look}
        src={href}
        alt={`Attachment ${name}`}
        loading="lazy"
        decoding="async"
        onError={() => setBroken(true)}
      />
    </a>
  )
}

const isJson = ({ type, contentType, name }: ShownAttachment): boolean =>
  type === 'event.view_hierarchy' || /\bjson\b/.test(contentType) || name.endsWith('.json')

export type ShownAttachment = {
  readonly id: number
  readonly name: string
  readonly contentType: string
  readonly type: string
  readonly shownAs: string
  readonly bytes: number
  readonly mayDelete: boolean
}

type Props = {
  readonly attachments: readonly ShownAttachment[]
  readonly eventId: string
  readonly links: Pick<IssueLinks, 'attachment'>
}

export function AttachmentsSection({ attachments, eventId, links }: Props) {
  const sum = attachments.reduce((all, { bytes }) => all + bytes, 0)
  return (
    <Section
      id="attachments"
      title="Attachments"
      note={`${countOf(attachments.length, 'file')}, ${formatBytes(sum)}`}
    >
      <ul className="attachments">
        {attachments.map((attachment) => (
          <li key={attachment.id}>
            <AttachmentLine attachment={attachment} href={links.attachment(eventId, attachment.id)} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

type LineProps = { readonly attachment: ShownAttachment; readonly href: string }

function AttachmentLine({ attachment, href }: LineProps) {
  const { bytes, shownAs, mayDelete } = attachment
  const name = plainName(attachment.name)
  return (
    <>
      <div className="attachment-line">
        <a href={href} className="attachment-name" aria-label={`Download ${name}`}>
          <UserText text={name} />
        </a>
        <span className="muted">{kindOf(attachment)}</span>
        <span className="attachment-size" title={`${formatExact(bytes)} bytes`}>
          {formatBytes(bytes)}
        </span>
        {shownAs !== '' && (
          <a href={`${href}?view`} target="_blank" rel="noreferrer" aria-label={`Open ${name} in a new tab`}>
            Open
          </a>
        )}
        {mayDelete && <DeleteAttachment href={href} name={name} />}
      </div>
      {bytes > 0 && <AttachmentPreview attachment={attachment} href={href} />}
    </>
  )
}

/** Asked once more, because nothing brings it back. */
function DeleteAttachment({ href, name }: { readonly href: string; readonly name: string }) {
  return (
    <details className="attachment-delete">
      <summary aria-label={`Delete ${name}`}>Delete</summary>
      <Form action={href}>
        <button type="submit" className="button button-small">
          {' '}
          Delete permanently{' '}
        </button>
      </Form>
    </details>
  )
}

const KINDS: Readonly<Record<string, string>> = {
  'event.minidump': 'minidump',
  'event.applecrashreport': 'Apple crash report',
  'event.view_hierarchy': 'view hierarchy',
  'unreal.context': 'Unreal context',
  'unreal.logs': 'Unreal log',
}

/** What it is for, else what it is, else what its sender calls it. */
function kindOf({ type, shownAs, contentType }: ShownAttachment): string {
  const claimed = contentType.split(';')[0] ?? ''
  if (KINDS[type] !== undefined) return KINDS[type]
  if (shownAs.startsWith('image/')) return shownAs
  // Said to be an image that its bytes are not, or one that is not drawn here.
  if (claimed.startsWith('image/')) return `${shownAs === '' ? 'file' : 'text'}, sent as ${claimed}`
  return claimed || shownAs || 'file'
}

/** Without the marks that turn the reading direction: `gpj.exe` must not look like `exe.jpg`. */
const plainName = (name: string): string =>
  name.replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
