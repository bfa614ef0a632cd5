import { Form } from '@sonde/router'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { PLATFORMS } from '../../../../parts/setup/platforms.ts'
import { Field } from '../../../../ui/field.tsx'
import { LinesField } from '../../../../ui/lines-field.tsx'
import { type Refusals, RefusedNote } from './refused-note.tsx'

type ProjectFormProps = {
  readonly name: string
  readonly slug: string
  readonly platform: string
}

export function ProjectForm({ name, slug, platform }: ProjectFormProps) {
  const { errorOf, valueOf } = useFormState('project')
  const isListed = PLATFORMS.some(({ id }) => id === platform)
  return (
    <Form className="settings-form" key={`${name} ${slug} ${platform}`}>
      <input type="hidden" name="form" value="project" />
      <Field
        id="project-name"
        name="name"
        label="Name"
        required
        maxLength={100}
        defaultValue={valueOf('name', name)}
        error={errorOf('name')}
      />
      <Field
        id="project-slug"
        name="slug"
        label="Slug"
        required
        maxLength={50}
        autoCapitalize="none"
        spellCheck={false}
        hint="Used in URLs. Changing the slug breaks existing links; DSNs keep working."
        defaultValue={valueOf('slug', slug)}
        error={errorOf('slug')}
      />
      <div className="field">
        <label htmlFor="project-platform">Platform</label>
        <select
          id="project-platform"
          name="platform"
          className="input"
          defaultValue={valueOf('platform', platform)}
        >
          {!isListed && <option value={platform}>{platform}</option>}
          {PLATFORMS.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </select>
      </div>
      <button type="submit" className="button button-primary">
        Save project
      </button>
    </Form>
  )
}

type DomainsFormProps = {
  /** Empty: every domain. */
  readonly domains: readonly string[]
  readonly refusals: Refusals
  readonly mayWrite: boolean
}

/** Origins allowed to send events. A DSN is public, so copies of a site send with it too. */
export function DomainsForm({ domains, refusals, mayWrite }: DomainsFormProps) {
  const { errorOf, valueOf } = useFormState('domains')
  return (
    <>
      <p>
        {domains.length === 0
          ? 'All origins are allowed. '
          : 'Only these origins are allowed; others are rejected and counted. '}
        Server and mobile SDKs are not affected.
      </p>
      <RefusedNote refusals={refusals} noun="request" badge="rejecting">
        {refusals.quantity === 1 ? 'was' : 'were'} rejected
      </RefusedNote>
      <Form className="settings-form" key={domains.join('\n')}>
        <fieldset className="settings-fields" disabled={!mayWrite}>
          <legend className="sr-only">Allowed domains</legend>
          <input type="hidden" name="form" value="domains" />
          <LinesField
            id="allowed-domains"
            name="allowedDomains"
            label="Domains"
            hint="One per line. Leave empty or enter * to allow all. *.shop.example matches the domain and its subdomains. Add a scheme or port to be stricter: https://shop.example, localhost:5173"
            defaultValue={valueOf('allowedDomains', domains.join('\n'))}
            error={errorOf('allowedDomains')}
          />
          {mayWrite && (
            <button type="submit" className="button button-primary">
              Save domains
            </button>
          )}
        </fieldset>
      </Form>
    </>
  )
}
