import { useParams } from '@sonde/router'
import { paths } from '../../../../paths.ts'
import type { ShownPreview } from './shown-preview.ts'
import { useLiveTry } from './use-live-try.ts'

const UNREACHED: ShownPreview = { ok: false, message: 'The server could not be reached. Try again.' }

export function useLiveScrub() {
  const { org, project } = useParams<'org' | 'project'>()
  return useLiveTry<ShownPreview>(paths.scrubPreview(org, project), UNREACHED)
}
