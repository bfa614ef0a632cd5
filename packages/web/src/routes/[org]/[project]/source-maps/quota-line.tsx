import { formatExact, formatShare } from '../../../../format/format-count.ts'
import { bytesText } from '../../../../parts/figures/figures-text.ts'

type Quota = {
  readonly fileBytes: number
  readonly chunkBytes: number
  /** Undefined: this Sonde takes no uploads. */
  readonly quotaBytes?: number | undefined
}

/** What the whole organisation has stored of uploads, and how much of what it may. */
export function QuotaLine({ quota: { fileBytes, chunkBytes, quotaBytes } }: { readonly quota: Quota }) {
  const used = fileBytes + chunkBytes
  return (
    <p className="muted" title={`${formatExact(used)} bytes on disk, of all projects of the organisation`}>
      {bytesText(used)}
      {quotaBytes === undefined
        ? ' stored by the organisation'
        : ` of ${bytesText(quotaBytes)} that the organisation may store (${formatShare(used, quotaBytes)})`}
    </p>
  )
}
