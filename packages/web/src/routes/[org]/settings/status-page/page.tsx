import '../../../../parts/forms/settings.css'
import '../../../../parts/tokens/account.css'
import './status-page.css'
import { STATUS_LIMITS } from '@sonde/alerts/contract'
import { Form, Link, usePageData, useParams } from '@sonde/router'
import { countOf } from '../../../../format/format-count.ts'
import { SavedNotice } from '../../../../parts/forms/saved-notice.tsx'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { paths } from '../../../../paths.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Count } from '../../../../ui/count.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Section } from '../../../../ui/section.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { SettingsHead } from '../settings-head.tsx'
import { AddComponent, ComponentList } from './component-forms.tsx'
import type { load } from './page.server.ts'

export function title(data: unknown) {
  return `Status page · ${(data as { orgName: string }).orgName} · Sonde`
}

type Owned = NonNullable<Awaited<ReturnType<typeof load>>['owned']>

export default function StatusPage() {
  const { orgName, owned } = usePageData<typeof load>()
  return (
    <div className="page page-narrow">
      <SettingsHead name={orgName} here="status">
        <span className="muted">status page</span>
      </SettingsHead>
      <SavedNotice />
      {!owned && <p className="muted">Only owners can see and change the settings of the status page.</p>}
      {owned && !owned.page && <NewPage {...owned.suggested} />}
      {owned?.page && <Page owned={owned} page={owned.page} />}
    </div>
  )
}

function NewPage(suggested: { readonly slug: string; readonly title: string }) {
  return (
    <Section id="new" title="Create a status page">
      <p className="muted">
        A public page tells whether your services work, what goes on and what went wrong before. You choose
        which monitors it shows, and under which names. Nobody sees it before you publish it.
      </p>
      <PageForm form="new-page" stored={{ ...suggested, description: '' }} button="Create status page" />
    </Section>
  )
}

function Page({ owned, page }: { readonly owned: Owned; readonly page: NonNullable<Owned['page']> }) {
  const { org } = useParams<'org'>()
  return (
    <>
      <Section
        id="status"
        title="Status"
        note={page.isPublished ? <Badge tone="good">Published</Badge> : <Badge>Not published</Badge>}
      >
        <p>
          {page.isPublished ? (
            <a href={page.url}>{page.url}</a>
          ) : (
            <span className="muted">Its address will be {page.url}</span>
          )}
        </p>
        <div className="status-actions">
          <Form>
            <input type="hidden" name="form" value="publish" />
            <button
              type="submit"
              className={page.isPublished ? 'button' : 'button button-primary'}
              name="does"
              value={page.isPublished ? 'unpublish' : 'publish'}
            >
              {page.isPublished ? 'Unpublish' : 'Publish'}
            </button>
          </Form>
          <a className="button" href={paths.statusPreview(org)}>
            Preview
          </a>
          <Link className="button" to={paths.statusIncidents(org)}>
            Incidents and maintenance{page.open > 0 && ` (${page.open} open)`}
          </Link>
        </div>
      </Section>
      <Section
        id="components"
        title="Components"
        note={<Count value={page.components.length} noun="component" />}
      >
        <ComponentList components={page.components} />
        <AddComponent
          key={page.components.length}
          choices={owned.choices}
          isFull={page.components.length >= STATUS_LIMITS.components}
        />
      </Section>
      <Section id="page" title="Title and address">
        <PageForm form="page" stored={page} button="Save" />
      </Section>
      <Section id="subscribers" title="Subscribers">
        <Subscribers hasMail={owned.hasMail} count={page.subscribers} />
      </Section>
      <Section id="danger" title="Delete status page">
        <details className="key-fold">
          <summary>Delete status page</summary>
          <Form className="settings-form danger">
            <input type="hidden" name="form" value="delete-page" />
            <p>
              What was posted and the addresses of subscribers are deleted. Monitors stay. This cannot be
              undone.
            </p>
            <button type="submit" className="button button-danger">
              Delete <UserText text={page.title} />
            </button>
          </Form>
        </details>
      </Section>
    </>
  )
}

type PageFormProps = {
  readonly form: 'new-page' | 'page'
  readonly stored: { readonly slug: string; readonly title: string; readonly description: string }
  readonly button: string
}

function PageForm({ form, stored, button }: PageFormProps) {
  const { errorOf, valueOf } = useFormState(form)
  return (
    <Form className="settings-form">
      <input type="hidden" name="form" value={form} />
      <Field
        id="status-title"
        name="title"
        label="Title"
        required
        maxLength={STATUS_LIMITS.titleChars}
        defaultValue={valueOf('title', stored.title)}
        error={errorOf('title')}
      />
      <Field
        id="status-slug"
        name="slug"
        label="Slug"
        hint="The last part of its address: /status/…"
        required
        maxLength={50}
        autoComplete="off"
        spellCheck={false}
        defaultValue={valueOf('slug', stored.slug)}
        error={errorOf('slug')}
      />
      <Field
        id="status-description"
        name="description"
        label="Description"
        hint="Below the title. May be empty."
        maxLength={STATUS_LIMITS.descriptionChars}
        defaultValue={valueOf('description', stored.description)}
        error={errorOf('description')}
      />
      <button type="submit" className={form === 'page' ? 'button' : 'button button-primary'}>
        {button}
      </button>
    </Form>
  )
}

function Subscribers({ hasMail, count }: { readonly hasMail: boolean; readonly count: number }) {
  const { errorOf, valueOf } = useFormState('subscriber')
  return (
    <>
      <p>
        {hasMail
          ? `${countOf(count, 'person', 'people')} get${count === 1 ? 's' : ''} mail about what is posted and about incidents of shown monitors.`
          : 'Nobody can subscribe: mail is not set up on this server (SONDE_SMTP_URL).'}
      </p>
      <Form className="settings-line">
        <input type="hidden" name="form" value="subscriber" />
        <Field
          id="subscriber"
          name="email"
          label="Delete a subscriber"
          type="email"
          required
          maxLength={255}
          autoComplete="off"
          defaultValue={valueOf('email', '')}
          error={errorOf('email')}
        />
        <button type="submit" className="button">
          Delete address
        </button>
      </Form>
    </>
  )
}
