/** What can be seen of a file without saving it: the image, the beginning of a text, a view hierarchy as a tree. */
import { lazy, Suspense } from 'react'
import type { ShownAttachment } from './attachments-section.tsx'
import { LazyFold } from './lazy-fold.tsx'

/** Without its code the rest of the page stays. */
const TextPreview = lazy(() => import('./text-preview.tsx').catch(() => ({ default: () => null })))

type Props = { readonly attachment: ShownAttachment; readonly href: string }

/** A larger one is opened by who wants it: a phone should not load it unasked. */
const MAX_IMAGE_BYTES = 5_000_000
/** As JSON it has to be read whole. */
const MAX_TREE_BYTES = 500_000
const MAX_TEXT_BYTES = 16_000

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

const isJson = ({ type, contentType, name }: ShownAttachment): boolean =>
  type === 'event.view_hierarchy' || /\bjson\b/.test(contentType) || name.endsWith('.json')
