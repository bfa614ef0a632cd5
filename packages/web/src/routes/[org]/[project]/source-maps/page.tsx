import '../../../../parts/forms/settings.css'
import '../../../../parts/figures/status.css'
import './source-maps.css'
import { SourceMapsScreen } from './source-maps-screen.tsx'

export function title() {
  return 'Source maps · Sonde'
}

export default function SourceMaps() {
  return <SourceMapsScreen />
}
