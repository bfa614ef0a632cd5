import { Link, usePageData, useParams } from '@sonde/router'
import { PersonalDataScreen } from '../../../../../parts/personal-data/personal-data-screen.tsx'
import { paths } from '../../../../../paths.ts'
import type { load } from './page.server.ts'

export const title = (): string => 'Personal data · Sonde'

export default function ProjectPersonalData() {
  const data = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <div className="page page-narrow">
      <p>
        <Link to={paths.projectSettings(org, project)}>Project settings</Link>
      </p>
      <div className="page-head">
        <h1>Personal data</h1>
      </div>
      <PersonalDataScreen
        {...data}
        where="this project"
        download={`${paths.personalData(org, project)}/download`}
      />
    </div>
  )
}
