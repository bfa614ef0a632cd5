import { Link, useParams } from '@sonde/router'
import { SavedNotice } from '../../../../parts/forms/saved-notice.tsx'
import { paths } from '../../../../paths.ts'
import { UserText } from '../../../../ui/user-text.tsx'

type SubpageHeadProps = {
  readonly project: { readonly slug: string; readonly name: string }
  /** What the page is about. */
  readonly what: string
  readonly mayWrite: boolean
}

/** The head of a page below a project's settings, with what was saved, or that nothing can be. */
export function SubpageHead({ project, what, mayWrite }: SubpageHeadProps) {
  const { org } = useParams<'org'>()
  return (
    <>
      <div className="page-head">
        <h1>
          <Link className="text-link" to={paths.projectSettings(org, project.slug)}>
            <UserText text={project.name} /> settings
          </Link>{' '}
          <span className="muted">{what}</span>
        </h1>
      </div>
      <SavedNotice />
      {!mayWrite && (
        <p className="muted">Read-only. Ask an owner or admin of the organization to make changes.</p>
      )}
    </>
  )
}
