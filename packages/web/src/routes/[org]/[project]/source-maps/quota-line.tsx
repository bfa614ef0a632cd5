import { formatExact, formatShare } from '../../../../format/format-count.ts'
import { bytesText } from '../../../../parts/figures/figures-text.ts'

type Quota = {
  readonly fileBytes: number
  readonly chunkBytes: number
  /** Undefined: this Sonde takes no uploads. */
  readonly quotaBytes?: number | undefined
}

/** What the whole organization has stored of uploads, and how much of what it may. */
export function QuotaLine({ quota: { fileBytes, chunkBytes, quotaBytes } }: { readonly quota: Quota }) {
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
