import '../../../../../parts/figures/status.css'
import { Link, usePageData } from '@sonde/router'
import { paths } from '../../../../../paths.ts'
import { DeadContent } from './dead-content.tsx'
import type { load } from './page.server.ts'

export function title(data: unknown) {
  return `Dead letter ${(data as { letter: { id: number } }).letter.id} · Sonde`
}

export default function DeadLetter() {
  const { letter, project } = usePageData<typeof load>()
  return (
    <div className="page status-page">
      <div className="page-head">
        <p>
          <Link to={`${paths.status()}#dead`}>System status</Link>
        </p>
        <h1>Dead letter {letter.id}</h1>
      </div>
      <DeadContent letter={letter} project={project} />
    </div>
  )
}
