import '../../../../../../parts/forms/settings.css'
import '../issue.css'
import '../linked-issues.css'
import { type DataOf, Form, Link, usePageData, useParams } from '@sonde/router'
import { NO_FILTER } from '../../../../../../parts/event-filter/event-filter.ts'
import { useFormState } from '../../../../../../parts/forms/use-form-state.ts'
import { issueLinks } from '../../../../../../parts/issue/issue-links.ts'
import { paths } from '../../../../../../paths.ts'
import { Field } from '../../../../../../ui/field.tsx'
import { LinesField } from '../../../../../../ui/lines-field.tsx'
import { EmptyState, Section } from '../../../../../../ui/section.tsx'
import { UserText } from '../../../../../../ui/user-text.tsx'
import { IssueTrail } from '../issue-trail.tsx'
import { FindField, WhereField } from './find-field.tsx'
import type { load } from './page.server.ts'

export const title = ({ issue }: DataOf<typeof load>): string => `Link an issue · ${issue.shortId} · Sonde`

/** Issues of trackers for one of ours: a new one, or one that is there. */
export default function LinkIssue() {
  const { issue, trackers, draft } = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <div className="page page-narrow">
      <IssueTrail issue={issue} links={issueLinks(org, project, issue.shortId, NO_FILTER)} />
      <div className="page-head">
        <h1>Create or link an issue</h1>
      </div>
      {trackers.length === 0 ? (
        <EmptyState title="No tracker is connected" docs="operate/trackers">
          <p>
            Admins and owners connect GitHub, GitLab, Jira and Linear in{' '}
            <Link to={paths.trackers(org)}>the settings of the organization</Link>.
          </p>
        </EmptyState>
      ) : (
        <>
          <CreateSection trackers={trackers} draft={draft} />
          <LinkSection shortId={issue.shortId} trackers={trackers} />
        </>
      )}
    </div>
  )
}

type Data = DataOf<typeof load>

function CreateSection({ trackers, draft }: Pick<Data, 'trackers' | 'draft'>) {
  const state = useFormState('create')
  return (
    <Section id="create" title="Create an issue">
      <Form className="settings-form link-form">
        <input type="hidden" name="form" value="create" />
        <WhereField
          id="create-where"
          trackers={trackers}
          value={state.valueOf('where', '')}
          error={state.errorOf('place')}
        />
        <Field
          id="external-title"
          name="title"
          label="Title"
          maxLength={255}
          autoComplete="off"
          defaultValue={state.valueOf('title', draft.title)}
          error={state.errorOf('title')}
        />
        <LinesField
          id="external-body"
          name="body"
          label="Text"
          hint="Markdown."
          rows={12}
          isCode={false}
          defaultValue={state.valueOf('body', draft.body)}
          error={state.errorOf('body')}
        />
        <Refused text={state.errorOf('tracker') ?? state.errorOf('key')} />
        <button type="submit" className="button button-primary">
          Create and link
        </button>
      </Form>
    </Section>
  )
}

function LinkSection({ shortId, trackers }: Pick<Data, 'trackers'> & { readonly shortId: string }) {
  const state = useFormState('link')
  return (
    <Section id="link" title="Link an existing issue" note="A comment there leads back here.">
      <Form className="settings-form link-form">
        <input type="hidden" name="form" value="link" />
        <FindField shortId={shortId} trackers={trackers} state={state} />
        <Refused text={state.errorOf('tracker')} />
        <button type="submit" className="button">
          Link
        </button>
      </Form>
    </Section>
  )
}

/** What the tracker said. */
const Refused = ({ text }: { readonly text: string | undefined }) =>
  text !== undefined && (
    <p className="field-error" role="alert">
      <UserText text={text} />
    </p>
  )
