import type { FormState } from '../../../parts/forms/use-form-state.ts'

export type OrgFieldProps = {
  readonly id: string
  readonly orgs: readonly { readonly slug: string; readonly name: string }[]
  readonly state: FormState
}

/** For which organization a token is. */
export function OrgField({ id, orgs, state }: OrgFieldProps) {
  return (
    <div className="field">
      <label htmlFor={id}>Organization</label>
      <select id={id} name="org" className="input" defaultValue={state.valueOf('org', orgs[0]?.slug ?? '')}>
        {orgs.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
