import './projects.css'
import { usePageData, useParams } from '@sonde/router'
import { NewProject } from './new-project.tsx'
import { ProjectCard } from './project-card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { UserText } from '../../ui/user-text.tsx'
import type { load } from './page.server.ts'

export function title(data: unknown) {
  return `${(data as { orgName: string }).orgName} · Sonde`
}

export default function Projects() {
  const { orgName, projects, mayCreate } = usePageData<typeof load>()
  const { org } = useParams<'org'>()
  return (
    <div className="page">
      <div className="page-head">
        <h1>
          <UserText text={orgName} />
        </h1>
      </div>
      {projects.length === 0 && (
        <EmptyState title="No projects yet">
          {mayCreate ? (
            <p>A project is one application that sends events to Sonde. Create one to get a DSN.</p>
          ) : (
            <p>Ask an owner or admin of {orgName} to create one.</p>
          )}
        </EmptyState>
      )}
      {projects.length > 0 && (
        <ul className="project-list" aria-label="Projects">
          {projects.map((project) => (
            <li key={project.id}>
              <ProjectCard org={org} project={project} />
            </li>
          ))}
        </ul>
      )}
      {mayCreate && <NewProject org={org} isOpen={projects.length === 0} />}
    </div>
  )
}
