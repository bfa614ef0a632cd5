import { usePageData, useParams } from '@sonde/router'
import { ReleaseScreen } from './release-screen.tsx'
import type { load } from './page.server.ts'

export function title(data: unknown): string {
  const { version } = (data as { release: { version: string } }).release
  return `${version.length > 80 ? `${version.slice(0, 80)}…` : version} · Release · Sonde`
}

export default function Release() {
  const data = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  return <ReleaseScreen org={org} project={project} {...data} />
}
