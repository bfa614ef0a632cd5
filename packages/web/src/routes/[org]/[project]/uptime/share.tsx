import type { Availability } from '@sonde/queries'
import { formatExact } from '../../../../format/format-count.ts'
import { shareText, shareTitle } from './uptime-words.ts'

/** A share of checks, with how sure it is. */
export function Share({ of }: { readonly of: Availability }) {
  return (
    <span className="num" title={shareTitle(of, formatExact)}>
      {shareText(of)}
    </span>
  )
}
