import type { IncidentRow } from '@sonde/queries'
import { Badge } from '../../../../../ui/badge.tsx'

type Props = { readonly incident: Pick<IncidentRow, 'resolvedMs' | 'acknowledgedMs'> }

export function IncidentState({ incident: { resolvedMs, acknowledgedMs } }: Props) {
  if (resolvedMs !== undefined) return <Badge tone="good">resolved</Badge>
  if (acknowledgedMs !== undefined) return <Badge tone="attention">acknowledged</Badge>
  return <Badge tone="bad">open</Badge>
}
