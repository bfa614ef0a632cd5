/** What can be seen of a file without saving it: the image, the beginning of a text, a view hierarchy as a tree. */
import type { Json } from '@sonde/protocol/event'
import { formatBytes } from '../format/format-count.ts'
import { JsonValue } from '../ui/json-value.tsx'
import type { ShownAttachment } from './attachments-section.tsx'
import { LazyFold } from './lazy-fold.tsx'
import { useTextStart } from './use-text-start.ts'

type Props = { readonly attachment: ShownAttachment; readonly href: string }

/** A larger one is opened by who wants it: a phone should not load it unasked. */
const MAX_IMAGE_BYTES = 5_000_000
const MAX_TEXT_BYTES = 16_000
/** As JSON it has to be read whole. */
const MAX_TREE_BYTES = 500_000

export function AttachmentPreview({ attachment, href }: Props) {
  const { shownAs, bytes, name } = attachment
  if (shownAs.startsWith('image/')) {
    if (bytes > MAX_IMAGE_BYTES) return null
    return (
      <a href={`${href}?view`} target="_blank" rel="noreferrer" className="attachment-image">
        <img src={`${href}?view`} alt={`Attachment ${name}`} loading="lazy" decoding="async" />
      </a>
    )
  }
  if (shownAs !== 'text/plain') return null
  const isTree = isJson(attachment) && bytes <= MAX_TREE_BYTES
  return (
    <LazyFold className="fold" summary={isTree ? 'As a tree' : 'Preview'}>
      {() => <TextPreview name={name} href={`${href}?view`} bytes={bytes} isTree={isTree} />}
    </LazyFold>
  )
}

const isJson = ({ type, contentType, name }: ShownAttachment): boolean =>
  type === 'event.view_hierarchy' || /\bjson\b/.test(contentType) || name.endsWith('.json')

type TextProps = {
  readonly name: string
  readonly href: string
  readonly bytes: number
  readonly isTree: boolean
}

function TextPreview({ name, href, bytes, isTree }: TextProps) {
  const { state, text } = useTextStart(href, isTree ? MAX_TREE_BYTES : MAX_TEXT_BYTES)
  if (state === 'loading') return <p className="muted">Loading…</p>
  if (state === 'failed')
    return (
      <p className="muted" role="alert">
        It could not be read. It may have been deleted, or the connection broke: reload the page.
      </p>
    )
  const tree = isTree ? parsed(text) : undefined
  if (tree !== undefined) return <JsonValue value={tree} />
  return (
    <>
      <pre className="json" tabIndex={0} aria-label={`Beginning of ${name}`}>
        <code>{text}</code>
      </pre>
      {bytes > MAX_TEXT_BYTES && (
        <p className="muted">
          The first {formatBytes(MAX_TEXT_BYTES)} of {formatBytes(bytes)} are shown.
        </p>
      )}
    </>
  )
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
