/** Releases that came within one bar of a chart, in words. */
import { ReleaseLink } from '../parts/release-link.tsx'
import type { ChartMarker } from './chart-series.ts'

const SHOWN = 3
const MAX_CHARS = 40

const howOf = ({ deployedTo }: ChartMarker): string =>
  deployedTo === undefined ? 'first seen' : `deployed to ${deployedTo}`

/** In the box over a bar. */
export function MarkerLines({ markers }: { readonly markers: readonly ChartMarker[] }) {
  return (
    <>
      {markers.slice(0, SHOWN).map((marker, index) => (
        <span key={index} className="chart-tip-release">
          {howOf(marker)}:{' '}
          <bdi>
            {marker.release.length > MAX_CHARS
              ? `${marker.release.slice(0, MAX_CHARS - 1)}…`
              : marker.release}
          </bdi>
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
      <ReleaseLink release={marker.release} /> {howOf(marker)}
    </span>
  ))
}
