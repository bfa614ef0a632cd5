import { ShareBar } from '../../../../parts/split-bar.tsx'
import type { AdoptionShare } from './adoption.ts'

/** `42%` over a line as long. Apart from the chart, so that the list of releases loads no chart code. */
export function AdoptionBar({ share }: { readonly share: AdoptionShare | undefined }) {
  if (!share) return <span className="muted">–</span>
  return (
    <span className="adoption" title={share.title}>
      <span className="num">{share.text}</span>
      {share.part > 0 && <ShareBar part={share.part} whole={share.whole} />}
    </span>
  )
}
