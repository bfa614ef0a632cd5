/** Callers and what they called, as rows that open: the table form of the flame graph. */
import type { ProfileTree } from '@sonde/queries'
import { type KeyboardEvent, useState } from 'react'
import { formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'

type Props = { readonly tree: ProfileTree; readonly search: string }

/** So many levels of the heaviest path are open at first. */
const OPEN_AT_FIRST = 8
/** Deeper rows are not moved in further: names must keep their room. */
const MAX_INDENT = 24
/** Pixels. An attribute, since the page's policy lets no element have a style. */
const INDENT = 12

export function CallTree({ tree, search }: Props) {
  const { nodes, functions, totalMs } = tree
  const [open, setOpen] = useState(() => heaviestPath(tree))
  const children = new Map<number, number[]>()
  nodes.forEach(({ parent }, at) => {
    const siblings = children.get(parent)
    if (siblings) siblings.push(at)
    else children.set(parent, [at])
  })
  const rows: { readonly node: number; readonly depth: number }[] = []
  // What is to come, the next one last.
  const rest = lightestFirst(children.get(-1)).map((node) => ({ node, depth: 0 }))
  for (let row = rest.pop(); row !== undefined; row = rest.pop()) {
    rows.push(row)
    if (!open.has(row.node)) continue
    for (const node of lightestFirst(children.get(row.node))) rest.push({ node, depth: row.depth + 1 })
  }
  function lightestFirst(list: readonly number[] = []): readonly number[] {
    return list.toSorted((a, b) => nodes[a]!.totalMs - nodes[b]!.totalMs || b - a)
  }
  const toggle = (node: number, isOpen: boolean): void => {
    const next = new Set(open)
    if (isOpen) next.add(node)
    else next.delete(node)
    setOpen(next)
  }
  const onKey = (event: KeyboardEvent, node: number): void => {
    if (event.key === 'ArrowRight') toggle(node, true)
    else if (event.key === 'ArrowLeft') toggle(node, false)
    else return
    event.preventDefault()
  }
  const wanted = search.trim().toLowerCase()
  return (
    <div className="perf-scroll" role="region" aria-label="Table of calls" tabIndex={0}>
      <table className="perf-table">
        <caption className="sr-only">Call tree</caption>
        <thead>
          <tr>
            <th scope="col">Function</th>
            <th scope="col" className="col-num">
              Total
            </th>
            <th scope="col" className="col-num">
              Self
            </th>
            <th scope="col" className="col-num">
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ node, depth }) => {
            const { fn, selfMs, totalMs: ms } = nodes[node]!
            const { name, file, line, problem } = functions[fn]!
            const isOpen = open.has(node)
            return (
              <tr key={node}>
                <th scope="row" className="perf-name call-name">
                  <svg width={Math.min(depth, MAX_INDENT) * INDENT} height="1" aria-hidden="true" />
                  {children.has(node) ? (
                    <button
                      type="button"
                      className="call-toggle"
                      aria-expanded={isOpen}
                      aria-label={`${name}, level ${depth + 1}`}
                      onClick={() => toggle(node, !isOpen)}
                      onKeyDown={(event) => onKey(event, node)}
                    >
                      {isOpen ? '▾' : '▸'}
                    </button>
                  ) : (
                    <span className="call-toggle" />
                  )}{' '}
                  {wanted !== '' && name.toLowerCase().includes(wanted) ? (
                    <mark>{name}</mark>
                  ) : (
                    <bdi>{name}</bdi>
                  )}{' '}
                  <bdi className="muted">
                    {file}
                    {line > 0 && `:${line}`}
                    {problem !== '' && ' (no source map)'}
                  </bdi>
                </th>
                <td className="num col-num">{formatDuration(ms)}</td>
                <td className="num col-num">{formatDuration(selfMs)}</td>
                <td className="num col-num">{formatShare(ms, totalMs)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function heaviestPath({ nodes }: ProfileTree): ReadonlySet<number> {
  const open = new Set<number>()
  let parent = -1
  for (let level = 0; level < OPEN_AT_FIRST; level++) {
    let heaviest = -1
    nodes.forEach((node, at) => {
      if (node.parent === parent && (heaviest < 0 || node.totalMs > nodes[heaviest]!.totalMs)) heaviest = at
    })
    if (heaviest < 0) break
    open.add(heaviest)
    parent = heaviest
  }
  return open
}
