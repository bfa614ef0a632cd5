import { Form } from '@sonde/router'
import { PLATFORMS } from '../../../../parts/setup/platforms.ts'
import { Field } from '../../../../ui/field.tsx'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'

export type ProjectFormProps = {
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
