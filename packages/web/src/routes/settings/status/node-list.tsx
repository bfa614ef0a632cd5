import { formatExact } from '../../../format/format-count.ts'
import { bytesText, spanText } from '../../../parts/figures/figures-text.ts'
import type { OperatorNode } from '../../../server/operator-status.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Section, TableFrame } from '../../../ui/section.tsx'
import { Ago } from '../../../ui/time.tsx'

const TONES = {
  ready: 'good',
  starting: 'neutral',
  draining: 'neutral',
  'not ready': 'attention',
  missing: 'bad',
} as const

/** All starts of an installation on several machines. */
export function NodeList({ nodes }: { readonly nodes: readonly OperatorNode[] }) {
  const versions = new Set(nodes.filter(({ state }) => state !== 'missing').map(({ version }) => version))
  return (
    <Section
      id="nodes"
      title="Nodes"
      note={versions.size > 1 ? `${versions.size} different versions are running` : undefined}
    >
      <TableFrame label="Nodes and their state">
        <table className="status-table">
          <thead>
            <tr>
              <th scope="col">Node</th>
              <th scope="col">State</th>
              <th scope="col">Roles</th>
              <th scope="col">Version</th>
              <th scope="col" className="col-end">
                Uptime
              </th>
              <th scope="col" className="col-end">
                Memory
              </th>
              <th scope="col" className="col-end">
                CPU
              </th>
              <th scope="col" className="col-end">
                Disk free
              </th>
              <th scope="col">Log partitions</th>
            </tr>
          </thead>
          <tbody>
            {nodes.map((node) => (
              <NodeRow key={node.name} node={node} />
            ))}
          </tbody>
        </table>
      </TableFrame>
    </Section>
  )
}

function NodeRow({ node }: { readonly node: OperatorNode }) {
  const { name, state, trouble, roles, version, startedMs, seenMs, processes, freeBytes } = node
  const isThere = state !== 'missing'
  const rssBytes = processes.reduce((sum, each) => sum + each.rssBytes, 0)
  const cpuShare = processes.reduce((sum, each) => sum + each.cpuShare, 0)
  return (
    <tr>
      <th scope="row" title={processes.map((each) => `${each.name}: process ${each.pid}`).join('\n')}>
        {name}
      </th>
      <td>
        <Badge tone={TONES[state]}>{state}</Badge>{' '}
        {isThere ? (
          trouble
        ) : (
          <>
            last seen <Ago atMs={seenMs} />
          </>
        )}
      </td>
      <td className="muted">{roles.join(', ')}</td>
      <td>{version}</td>
      <td className="col-end">{isThere ? spanText(seenMs - startedMs) : '–'}</td>
      <td className="col-end" title={isThere ? `${formatExact(rssBytes)} bytes resident` : undefined}>
        {isThere ? bytesText(rssBytes) : '–'}
      </td>
      <td className="col-end">{isThere ? `${Math.round(cpuShare * 100)}%` : '–'}</td>
      <td className="col-end">{isThere && freeBytes !== undefined ? bytesText(freeBytes) : '–'}</td>
      <td>{partitionText(node)}</td>
    </tr>
  )
}

function partitionText({ partitions, lagMs }: OperatorNode): string {
  if (partitions.length === 0) return '–'
  const lag = lagMs < 100 ? 'no lag' : `lag ${(lagMs / 1000).toFixed(1)} s`
  return `${partitions.join(', ')} (${lag})`
}
