import '../../../../styles/settings.css'
import { usePageData } from '@sonde/router'
import { KeyTable } from '../../../../projects/key-table.tsx'
import { SetupSteps } from '../../../../snippets/setup-steps.tsx'
import { Section } from '../../../../ui/section.tsx'
import { ExactTime } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'

export function title(data: unknown) {
  return `Settings · ${(data as { project: { name: string } }).project.name} · Sonde`
}

export default function Settings() {
  const { project, keys } = usePageData<typeof load>()
  const dsn = keys.find((key) => key.isActive)?.dsn
  return (
    <div className="page page-narrow">
      <div className="page-head">
        <h1>
          <UserText text={project.name} /> <span className="muted">settings</span>
        </h1>
      </div>
      <Section id="project" title="Project">
        <dl className="facts">
          <div>
            <dt>Platform</dt>
            <dd>{project.platform}</dd>
          </div>
          <div>
            <dt>Number</dt>
            <dd className="num">{project.id}</dd>
          </div>
          <div>
            <dt>Made</dt>
            <dd>
              <ExactTime atMs={project.createdMs} />
            </dd>
          </div>
          <div>
            <dt>First event</dt>
            <dd>
              {project.firstEventMs === undefined ? 'none yet' : <ExactTime atMs={project.firstEventMs} />}
            </dd>
          </div>
        </dl>
      </Section>
      <Section id="keys" title="Client keys" note="A DSN may be public: it only lets events in.">
        <KeyTable keys={keys} />
      </Section>
      {dsn !== undefined && (
        <Section id="setup" title="Send events">
          <SetupSteps platform={project.platform} dsn={dsn} />
        </Section>
      )}
    </div>
  )
}
