import type { MapFigures } from '@sonde/queries'
import { Link, useParams } from '@sonde/router'
import { formatExact, formatRate, formatShare } from '../../../format/format-count.ts'
import { formatDuration } from '../../../format/format-time.ts'
import { usePaths } from '../../../shell/use-paths.ts'
import { UserText } from '../../../ui/user-text.tsx'
import { KIND_NAMES, namesOf, nodeQuery, type ShownMap } from './map-words.ts'

const HEADS = ['Requests', 'Per minute', 'Failure rate', 'p95'] as const

function FigureHeads() {
  return HEADS.map((name) => (
    <th key={name} scope="col" className="col-num">
      {name}
    </th>
  ))
}

function FigureCells({ count, perMinute, failureRate, p95Ms }: MapFigures) {
  return (
    <>
      <td className="col-num num">{formatExact(count)}</td>
      <td className="col-num num">{formatRate(perMinute)}</td>
      <td className={`col-num num ${failureRate > 0 ? 'perf-bad' : 'muted'}`}>
        {formatShare(failureRate, 1)}
      </td>
      <td className="col-num num">{p95Ms === undefined ? '' : formatDuration(p95Ms)}</td>
    </>
  )
}

export function CallTable({ map }: { readonly map: ShownMap }) {
  const { org } = useParams<'org'>()
  const kept = usePaths()
  const nameOf = namesOf(map)
  if (map.edges.length === 0)
    return <p className="muted">No connections yet: no service passed its trace on to another one.</p>
  return (
    <div className="perf-scroll" role="group" aria-label="Connections" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">From → to</th>
            <FigureHeads />
          </tr>
        </thead>
        <tbody>
          {map.edges.map((edge) => (
            <tr key={`${edge.from} ${edge.to}`}>
              <th scope="row" className="perf-name">
                <Link to={kept.explore(org, undefined, { query: edge.query })} prefetch="none">
                  <UserText text={nameOf(edge)} />
                </Link>
              </th>
              <FigureCells {...edge} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function NodeTable({ map }: { readonly map: ShownMap }) {
  const { org } = useParams<'org'>()
  const kept = usePaths()
  return (
    <div className="perf-scroll" role="group" aria-label="Services, stores, queues and hosts" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Kind</th>
            <FigureHeads />
          </tr>
        </thead>
        <tbody>
          {map.nodes.map((node) => (
            <tr key={node.id}>
              <th scope="row" className="perf-name">
                <Link to={kept.explore(org, undefined, { query: nodeQuery(node) })} prefetch="none">
                  <UserText text={node.name} />
                </Link>
              </th>
              <td>
                {KIND_NAMES[node.kind]}
                {node.platform !== '' && (
                  <span className="muted">
                    {' '}
                    <UserText text={node.platform} />
                  </span>
                )}
              </td>
              <FigureCells {...node} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
