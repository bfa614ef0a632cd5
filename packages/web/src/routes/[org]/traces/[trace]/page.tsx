import '../../../../parts/performance/performance.css'
import '../../../../parts/trace/trace-summary.css'
import './trace.css'
import { type DataOf, usePageData, useParams } from '@sonde/router'
import type { TraceData } from './load-trace.server.ts'
import type { SpanData } from './load-span.server.ts'
import { TraceScreen } from './trace-screen.tsx'
import type { load } from './page.server.ts'

export const title = ({ traceId }: DataOf<typeof load>): string => `Trace ${traceId.slice(0, 8)} · Sonde`

export default function TracePage() {
  const data = usePageData<typeof load>() as TraceData & { readonly span?: SpanData }
  const { org } = useParams<'org' | 'trace'>()
  // Made anew for another trace, or another part of it: what was folded there is not here.
  return <TraceScreen key={`${data.traceId} ${data.root ?? ''}`} org={org} data={data} />
}
