import '../../../../../parts/figures/status.css'
import '../../../../../parts/forms/settings.css'
import './coverage.css'
import { Link, useLocation, usePageData, useParams, useSearchParams } from '@sonde/router'
import { paths } from '../../../../../paths.ts'
import { changeRange, MEASURED_PERIOD, PERIODS, rangeName } from '../../../../../shell/time-range.ts'
import { Section } from '../../../../../ui/section.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { PageViewsSection } from './page-views-section.tsx'
import type { load } from './page.server.ts'
import { SdkSection } from './sdk-section.tsx'

export function title(data: unknown) {
  return `Coverage · ${(data as { project: { name: string } }).project.name} · Sonde`
}

/** Pages are answered within minutes, and a month has every kind of day. */
const CHOICES = PERIODS.filter(({ id }) => ['24h', '7d', '30d'].includes(id))

export default function Coverage() {
  const { project, pages, sdk } = usePageData<typeof load>()
  const { org } = useParams<'org'>()
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <div className="page page-narrow">
      <div className="page-head">
        <h1>
          <Link className="text-link" to={paths.projectSettings(org, project.slug)}>
            <UserText text={project.name} /> settings
          </Link>{' '}
          <span className="muted">coverage</span>
        </h1>
      </div>
      <Section
        id="page-views"
        title="What you do not see"
        note={rangeName(params, MEASURED_PERIOD)}
        actions={CHOICES.map(({ id, name }) => (
          <Link
            key={id}
            className="button button-small"
            to={pathname + changeRange(params, { statsPeriod: id })}
            aria-current={(params.get('statsPeriod') ?? MEASURED_PERIOD) === id ? 'true' : undefined}
          >
            {name}
          </Link>
        ))}
      >
        <div className="coverage">
          <PageViewsSection pages={pages} />
        </div>
      </Section>
      <Section id="sdk" title="What your SDK weighs" note="Last 30 days, browsers only.">
        <div className="coverage">
          <SdkSection sdk={sdk} />
        </div>
      </Section>
    </div>
  )
}
