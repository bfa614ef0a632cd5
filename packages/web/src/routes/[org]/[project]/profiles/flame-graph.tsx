/**
 * A tree of stacks as a flame graph on a canvas, and the same as a table of callers that opens row by row: what the canvas
 * shows can be read without it. Own code has another lightness than libraries, so hue alone tells nothing.
 */
import type { ProfileNode, ProfileTree } from '@sonde/queries'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { formatExact, formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { CallTree } from './call-tree.tsx'
import { type Box, boxesOf } from './flame-layout.ts'

const ROW = 18
const MAX_ROWS = 60

type Props = {
  readonly tree: ProfileTree
  /** Colours by a difference instead of by whose code it is: -1 (less) to 1 (more), beside what is written for it. */
  readonly change?: (node: number) => { readonly by: number; readonly text: string }
  /** Instead of milliseconds: what is said of the call that is pointed at. */
  readonly describe?: (node: number) => string
  /** Instead of milliseconds: what is said of all. */
  readonly summary?: string
  /** Instead of the table of calls. */
  readonly renderTable?: (search: string) => ReactNode
}

export function FlameGraph({ tree, change, describe, summary, renderTable }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [zoomed, setZoomed] = useState(-1)
  const [focused, setFocused] = useState(-1)
  const [search, setSearch] = useState('')
  const [isFlame, setFlame] = useState(false)
  const boxes = boxesOf(tree, zoomed)
  const rows = Math.min(
    MAX_ROWS,
    boxes.reduce((most, { depth }) => Math.max(most, depth + 1), 1),
  )
  useEffect(() => {
    const draw = (): void => {
      if (canvas.current) drawBoxes(canvas.current, { tree, boxes, rows, isFlame, search, focused, change })
    }
    draw()
    window.addEventListener('resize', draw)
    return () => window.removeEventListener('resize', draw)
  })
  const shown = tree.nodes[focused]
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') setZoomed(focused)
    else if (event.key === 'Escape') setZoomed(-1)
    else {
      const next = neighbour(tree.nodes, focused, event.key, isFlame)
      if (next === undefined) return
      setFocused(next)
    }
    event.preventDefault()
  }
  const at = (event: MouseEvent<HTMLCanvasElement>): number => {
    const { left, top, width } = event.currentTarget.getBoundingClientRect()
    const x = (event.clientX - left) / width
    const row = Math.floor((event.clientY - top) / ROW)
    const depth = isFlame ? rows - 1 - row : row
    return boxes.find((box) => box.depth === depth && x >= box.from && x < box.to)?.node ?? -1
  }
  return (
    <>
      <div className="flame-tools">
        <label>
          Find a function{' '}
          <input
            className="input"
            type="search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
        <button type="button" className="button button-small" onClick={() => setFlame(!isFlame)}>
          {isFlame ? 'Callers on top' : 'Callers at the bottom'}
        </button>
        {zoomed >= 0 && (
          <button type="button" className="button button-small" onClick={() => setZoomed(-1)}>
            Reset zoom
          </button>
        )}
      </div>
      <canvas
        ref={canvas}
        className="flame-canvas"
        tabIndex={0}
        role="img"
        aria-label="Flame graph. Arrow keys move, Enter zooms, Escape shows all. The table below has the same content."
        onKeyDown={onKey}
        onMouseMove={(event) => setFocused(at(event))}
        onClick={(event) => setZoomed(at(event))}
      />
      <p className="flame-status" aria-live="polite">
        {shown === undefined ? (
          <span className="muted">
            {summary ?? `${formatDuration(tree.totalMs)} of work`}
            {tree.leftOut > 0 && `, ${formatExact(tree.leftOut)} smallest calls are not shown`}
          </span>
        ) : (
          <Focused tree={tree} node={shown} said={describe?.(focused)} />
        )}
      </p>
      {renderTable ? renderTable(search) : <CallTree tree={tree} search={search} />}
    </>
  )
}

type FocusedProps = {
  readonly tree: ProfileTree
  readonly node: ProfileNode
  readonly said: string | undefined
}

function Focused({ tree, node, said }: FocusedProps) {
  const fn = tree.functions[node.fn]
  return (
    <>
      <strong>
        <bdi>{fn?.name}</bdi>
      </strong>{' '}
      <bdi className="muted">{fn?.file}</bdi>{' '}
      {said ??
        `total ${formatDuration(node.totalMs)} (${formatShare(node.totalMs, tree.totalMs)}), self ${formatDuration(node.selfMs)}`}
      {fn !== undefined && fn.problem !== '' && ' · no source map was found'}
    </>
  )
}

/** What an arrow leads to; undefined: nothing is there, or the key is another. */
function neighbour(
  nodes: readonly ProfileNode[],
  from: number,
  key: string,
  isFlame: boolean,
): number | undefined {
  if (from < 0) return key.startsWith('Arrow') && nodes.length > 0 ? 0 : undefined
  const parent = nodes[from]?.parent ?? -1
  const away = isFlame ? 'ArrowUp' : 'ArrowDown'
  const back = isFlame ? 'ArrowDown' : 'ArrowUp'
  if (key === back) return parent < 0 ? undefined : parent
  const indexed = nodes.map((node, at) => ({ ...node, at }))
  const byTime = (a: ProfileNode, b: ProfileNode): number => b.totalMs - a.totalMs
  if (key === away) return indexed.filter((node) => node.parent === from).toSorted(byTime)[0]?.at
  const siblings = indexed.filter((node) => node.parent === parent).toSorted(byTime)
  const place = siblings.findIndex((node) => node.at === from)
  if (key === 'ArrowRight') return siblings[place + 1]?.at
  return key === 'ArrowLeft' ? siblings[place - 1]?.at : undefined
}

type Drawn = {
  readonly tree: ProfileTree
  readonly boxes: readonly Box[]
  readonly rows: number
  readonly isFlame: boolean
  readonly search: string
  readonly focused: number
  readonly change: Props['change']
}

/** Narrower than this nobody can see, and there may be thousands of them. */
const MIN_PIXELS = 0.5
const MIN_TEXT = 30

function drawBoxes(canvas: HTMLCanvasElement, drawn: Drawn): void {
  const { tree, boxes, rows, isFlame, search, focused, change } = drawn
  const context = canvas.getContext('2d')
  if (!context) return
  canvas.style.height = `${rows * ROW}px`
  const width = canvas.clientWidth
  const scale = window.devicePixelRatio
  canvas.width = width * scale
  canvas.height = rows * ROW * scale
  context.scale(scale, scale)
  const style = getComputedStyle(canvas)
  const color = (name: string): string => style.getPropertyValue(name)
  context.font = `12px ${style.fontFamily}`
  context.textBaseline = 'middle'
  const wanted = search.trim().toLowerCase()
  for (const { node, depth, from, to } of boxes) {
    const size = (to - from) * width
    if (size < MIN_PIXELS || depth >= rows) continue
    const fn = tree.functions[tree.nodes[node]!.fn]!
    const y = (isFlame ? rows - 1 - depth : depth) * ROW
    const isFound = wanted !== '' && fn.name.toLowerCase().includes(wanted)
    const changed = change?.(node)
    const own = fn.inApp && !changed ? '--flame-own' : '--flame-other'
    context.fillStyle = color(isFound ? '--flame-found' : own)
    context.fillRect(from * width, y, Math.max(1, size - 1), ROW - 1)
    if (changed && !isFound) {
      context.globalAlpha = Math.min(1, Math.abs(changed.by))
      context.fillStyle = color(changed.by > 0 ? '--flame-more' : '--flame-less')
      context.fillRect(from * width, y, Math.max(1, size - 1), ROW - 1)
      context.globalAlpha = 1
    }
    if (node === focused) {
      context.strokeStyle = color('--flame-ink')
      context.lineWidth = 2
      context.strokeRect(from * width + 1, y + 1, Math.max(1, size - 3), ROW - 3)
    }
    if (size < MIN_TEXT) continue
    context.save()
    context.beginPath()
    context.rect(from * width, y, size - 4, ROW)
    context.clip()
    context.fillStyle = color(isFound ? '--flame-found-ink' : '--flame-ink')
    const text = changed ? `${changed.text} ${fn.name}` : fn.name
    context.fillText(text, from * width + 4, y + ROW / 2)
    context.restore()
  }
}
