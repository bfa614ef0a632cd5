/** Releases and incidents that came within one bar of a chart, in words. */
import { Link } from '@sonde/router'
import { ReleaseLink } from '../parts/release-link.tsx'
import type { ChartMarker } from './chart-series.ts'

const SHOWN = 3
const MAX_CHARS = 40

const howOf = (marker: ChartMarker): string =>
  'incident' in marker
    ? 'incident'
    : marker.deployedTo === undefined
      ? 'first seen'
      : `deployed to ${marker.deployedTo}`

const nameOf = (marker: ChartMarker): string => ('incident' in marker ? marker.incident : marker.release)
const shortened = (name: string): string =>
  name.length > MAX_CHARS ? `${name.slice(0, MAX_CHARS - 1)}…` : name

/** In the box over a bar. */
export function MarkerLines({ markers }: { readonly markers: readonly ChartMarker[] }) {
  return (
    <>
      {markers.slice(0, SHOWN).map((marker, index) => (
        <span key={index} className="chart-tip-release">
          {howOf(marker)}: <bdi>{shortened(nameOf(marker))}</bdi>
        </span>
      ))}
      {markers.length > SHOWN && <span>and {markers.length - SHOWN} more</span>}
    </>
  )
}

/** In the table: all of them, each a link. */
export function MarkerList({ markers }: { readonly markers: readonly ChartMarker[] }) {
  return markers.map((marker, index) => (
    <span key={index}>
      {index > 0 && ', '}
      {'incident' in marker ? (
        <Link to={marker.href}>
          <bdi>{shortened(marker.incident)}</bdi>
        </Link>
      ) : (
        <>
          <ReleaseLink release={marker.release} /> {howOf(marker)}
        </>
      )}
    </span>
  ))
}
