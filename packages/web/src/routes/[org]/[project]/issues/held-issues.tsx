import { Link } from '@sonde/router'
import { paths } from '../../../../paths.ts'
import { Count } from '../../../../ui/count.tsx'
import { Ago } from '../../../../ui/time.tsx'

export type HeldIssuesProps = {
  readonly org: string
  readonly project: string
  readonly held: { readonly quantity: number; readonly lastMs?: number | undefined }
}

/** Says that the list is not all that broke: a minute makes only so many new issues. */
export function HeldIssues({ org, project, held: { quantity, lastMs } }: HeldIssuesProps) {
  if (quantity === 0 || lastMs === undefined) return null
  return (
    <p className="held-issues" role="note">
      <Count value={quantity} noun="event" /> {quantity === 1 ? 'event' : 'events'} of the last 24 hours{' '}
      {quantity === 1 ? 'is' : 'are'} in no issue, the last <Ago atMs={lastMs} />: more issues were new than{' '}
      <Link to={`${paths.projectSettings(org, project)}#limit`}>a minute makes</Link>.
    </p>
  )
}
