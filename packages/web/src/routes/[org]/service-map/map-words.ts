/** What the service map says of its nodes and lines, and where they lead. Pure. */
import type { MapEdge, MapFigures, MapNode, MapNodeKind, ServiceMap } from '@sonde/queries'
import { formatRate, formatShare } from '../../../format/format-count.ts'
import { formatDuration } from '../../../format/format-time.ts'

export type ShownMap = Pick<ServiceMap, 'nodes' | 'edges'>

export const KIND_NAMES: { readonly [Kind in MapNodeKind]: string } = {
  service: 'Service',
  database: 'Database',
  cache: 'Cache',
  queue: 'Queue',
  host: 'External host',
}

/** `12/min · 1.2% failed · p95 80 ms`. */
export const figuresText = ({ perMinute, failureRate, p95Ms }: MapFigures): string =>
  [
    `${formatRate(perMinute)}/min`,
    ...(failureRate > 0 ? [`${formatShare(failureRate, 1)} failed`] : []),
    ...(p95Ms === undefined ? [] : [`p95 ${formatDuration(p95Ms)}`]),
  ].join(' · ')

/** A service is opened by what it was asked, everything else by what was asked of it. */
export const nodeQuery = ({ kind, query }: MapNode): string =>
  kind === 'service' ? `${query} is_transaction:1` : query

export function namesOf({ nodes }: ShownMap): (edge: MapEdge) => string {
  const names = new Map(nodes.map(({ id, name }) => [id, name]))
  return ({ from, to }) => `${names.get(from) ?? from} → ${names.get(to) ?? to}`
}

/** Errors that nobody can overlook; a few of many are usual. */
export const FAILING_SHARE = 0.05
