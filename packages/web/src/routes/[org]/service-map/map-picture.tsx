import { Link, useParams } from '@sonde/router'
import { usePaths } from '../../../shell/use-paths.ts'
import { titleOf } from '../../../ui/user-text.tsx'
import type { MapPicture, Point } from './lay-out-map.server.ts'
import { FAILING_SHARE, figuresText, KIND_NAMES, namesOf, nodeQuery, type ShownMap } from './map-words.ts'

type Props = { readonly map: ShownMap; readonly picture: MapPicture }

const WIDTH = 212
const HEIGHT = 52
// What fits into a node at the text's size.
const MAX_NAME = 26

/** The picture; the tables below it say the same. Every node and line is a link that the keyboard reaches. */
export function MapPictureView({ map, picture }: Props) {
  const { org } = useParams<'org'>()
  const kept = usePaths()
  const { width, height, places, lines } = picture
  const nameOf = namesOf(map)
  const most = Math.max(1, ...map.edges.map(({ perMinute }) => perMinute))
  return (
    <div className="perf-scroll map-frame" role="region" aria-label="Picture of the service map" tabIndex={0}>
      <svg
        className="map-picture"
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label="Service map"
      >
        <defs>
          <marker
            id="map-arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
            markerUnits="userSpaceOnUse"
          >
            <path d="M0,0 L8,4 L0,8 z" className="map-arrow" />
          </marker>
        </defs>
        {map.edges.slice(0, lines.length).map((edge, at) => {
          const text = `${nameOf(edge)}: ${figuresText(edge)}`
          return (
            <Link
              key={`${edge.from} ${edge.to}`}
              className={edge.failureRate >= FAILING_SHARE ? 'map-line map-failing' : 'map-line'}
              to={kept.explore(org, undefined, { query: edge.query })}
              prefetch="none"
              aria-label={titleOf(text)}
            >
              <title>{titleOf(text)}</title>
              <path className="map-hit" d={pathOf(lines[at] ?? [])} />
              <path
                className="map-stroke"
                d={pathOf(lines[at] ?? [])}
                strokeWidth={1 + 3 * Math.sqrt(edge.perMinute / most)}
                markerEnd="url(#map-arrow)"
              />
              {/* A line that is level has no height, and its focus could not be seen. */}
              <circle className="map-handle" cx={middleOf(lines[at]).x} cy={middleOf(lines[at]).y} r="6" />
            </Link>
          )
        })}
        {map.nodes.map((node) => {
          const { x, y } = places[node.id] ?? { x: 0, y: 0 }
          const text = `${KIND_NAMES[node.kind]} ${node.name}: ${figuresText(node)}`
          return (
            <Link
              key={node.id}
              className={`map-node map-${node.kind}${node.failureRate >= FAILING_SHARE ? ' map-failing' : ''}`}
              to={kept.explore(org, undefined, { query: nodeQuery(node) })}
              prefetch="none"
            >
              <title>{titleOf(text)}</title>
              <rect
                x={x - WIDTH / 2}
                y={y - HEIGHT / 2}
                width={WIDTH}
                height={HEIGHT}
                rx={node.kind === 'service' ? 6 : HEIGHT / 2}
              />
              <text x={x} y={y - 4} textAnchor="middle" className="map-name">
                {shortened(node.name)}
              </text>
              <text x={x} y={y + 13} textAnchor="middle" className="map-figures">
                {figuresText(node)}
              </text>
            </Link>
          )
        })}
      </svg>
    </div>
  )
}

const shortened = (name: string): string =>
  name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name

const middleOf = (points: readonly Point[] = []): Point =>
  points[Math.floor(points.length / 2)] ?? { x: 0, y: 0 }

/** Through the points that the layout gives, with soft corners. */
function pathOf(points: readonly Point[]): string {
  const [first, ...rest] = points
  const last = rest.at(-1)
  if (!first || !last) return ''
  const curves = rest.slice(0, -1).map((point, at) => {
    const next = rest[at + 1] ?? last
    return `Q${point.x},${point.y} ${(point.x + next.x) / 2},${(point.y + next.y) / 2}`
  })
  return `M${first.x},${first.y} ${curves.join(' ')} L${last.x},${last.y}`
}
