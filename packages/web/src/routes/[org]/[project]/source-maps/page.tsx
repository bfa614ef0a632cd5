import '../../../../styles/settings.css'
import '../../../../styles/status.css'
import '../../../../styles/source-maps.css'
import { SourceMapsScreen } from '../../../../source-maps/source-maps-screen.tsx'

export function title() {
  return 'Source maps · Sonde'
}

export default function SourceMaps() {
  return <SourceMapsScreen />
}
