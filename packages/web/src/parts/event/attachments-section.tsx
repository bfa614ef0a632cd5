/** The files that came with the event. A browser is shown only what its bytes were seen to be. */
import { Form } from '@sonde/router'
import { countOf, formatBytes, formatExact } from '../../format/format-count.ts'
import type { IssueLinks } from '../issue/issue-links.ts'
import { Section } from '../../ui/section.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { AttachmentPreview } from './attachment-preview.tsx'

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
