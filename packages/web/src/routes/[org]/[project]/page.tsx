import './overview.css'
import { Link, usePageData, useParams, useSearchParams } from '@sonde/router'
import { WaitingForEvents } from '../../../parts/setup/waiting-for-events.tsx'
import { keepRange } from '../../../shell/time-range.ts'
import { Ago } from '../../../ui/time.tsx'
import { UserText } from '../../../ui/user-text.tsx'
import type { OverviewSection, Sentence } from './overview-section.ts'
import type { load } from './page.server.ts'

export function title(data: unknown) {
  return `Overview · ${(data as { project: { name: string } }).project.name} · Sonde`
}

export default function Overview() {
  const { project, waiting, sections } = usePageData<typeof load>()
  const { org, project: slug } = useParams<'org' | 'project'>()
  if (waiting)
    return (
      <WaitingForEvents
        place={{ org, project: slug }}
        platform={project.platform}
        dsn={waiting.dsn}
        mayTest={project.mayTest}
      />
    )
  return (
    <div className="page overview">
      <h1 className="sr-only">Overview of {project.name}</h1>
      {sections.map((section) => (
        <SectionOf key={section.id} {...section} />
      ))}
    </div>
  )
}

/** A few sentences with a title; the edge says how bad it is, and so do they. */
function SectionOf({ id, title: name, tone, sentences }: OverviewSection) {
  return (
    <section className={`overview-section overview-${tone}`} id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{name}</h2>
      <ul>
        {sentences.map((sentence, at) => (
          <li key={at} className={`overview-is-${sentence.tone}`}>
            <SentenceText {...sentence} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function SentenceText({ text, code, atMs, link }: Sentence) {
  const [params] = useSearchParams()
  return (
    <>
      <UserText text={text} />{' '}
      {code !== undefined && (
        <>
          <code>{code}</code>{' '}
        </>
      )}
      {atMs !== undefined && (
        <span className="muted">
          <Ago atMs={atMs} />
        </span>
      )}{' '}
      {link && (
        <Link to={keepRange(link.to, params)} prefetch="intent">
          {link.name}
        </Link>
      )}
    </>
  )
}
