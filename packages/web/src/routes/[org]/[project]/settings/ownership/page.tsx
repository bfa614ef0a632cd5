import '../../../../../parts/forms/settings.css'
import './ownership.css'
import { Form, useActionData, usePageData, useParams } from '@sonde/router'
import { RulesField } from '../../../../../parts/forms/rules-field.tsx'
import { useFormState } from '../../../../../parts/forms/use-form-state.ts'
import { useLiveTry } from '../../../../../parts/forms/use-live-try.ts'
import { paths } from '../../../../../paths.ts'
import { Field, Tick } from '../../../../../ui/field.tsx'
import { Section } from '../../../../../ui/section.tsx'
import { Ago } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { SubpageHead } from '../subpage-head.tsx'
import { CodeownersForms, type OwnershipData, OwnerNames } from './codeowners-forms.tsx'
import { OpenIssues } from './open-issues.tsx'
import type { load, RefusedOwnership } from './page.server.ts'
import { problemText, type ShownTrial, TriedList } from './tried-list.tsx'

export function title(data: unknown) {
  return `Ownership · ${(data as { project: { name: string } }).project.name} · Sonde`
}

export default function Ownership() {
  const data = usePageData<typeof load>()
  const { project, mayWrite, files } = data
  return (
    <div className="page page-narrow">
      <SubpageHead project={project} what="ownership" mayWrite={mayWrite} />
      <Section id="rules" title="Ownership rules" note="The last rule that matches decides.">
        <RulesForm data={data} />
      </Section>
      <Section id="codeowners" title="CODEOWNERS" note="Asked where no ownership rule matches.">
        <CodeownersForms data={data} />
      </Section>
      {files.length > 0 && (
        <Section id="names" title="Names in CODEOWNERS" note="Addresses of members need no entry here.">
          <OwnerNames data={data} />
        </Section>
      )}
      <Section id="open" title="Open issues" note="Nobody who was assigned once is replaced.">
        <OpenIssues data={data} />
      </Section>
    </div>
  )
}

const UNREACHED: ShownTrial = { failure: 'The server could not be reached. Try again.' }

function RulesForm({ data }: { readonly data: OwnershipData }) {
  const { ownership, mayWrite } = data
  const { rules, autoAssignment, isForAll, changed, problems } = ownership
  const { org, project } = useParams<'org' | 'project'>()
  const { isRefused, valueOf, isTicked } = useFormState('ownership')
  const answer = useActionData<() => Promise<RefusedOwnership>>()
  const live = useLiveTry<ShownTrial>(paths.ownershipTrial(org, project), UNREACHED)
  const shown: ShownTrial | undefined = live.preview ?? answer?.tried
  const found = shown && 'problems' in shown ? shown.problems : problems
  const refused = isRefused && !answer?.tried ? (answer?.fields['rules'] ?? []) : []
  const errors = live.preview || refused.length === 0 ? found.map(problemText) : refused
  return (
    <Form
      className="settings-form settings-form-wide"
      key={`${rules}\0${autoAssignment}\0${isForAll}`}
      onInput={live.tryForm}
      onSubmit={live.onSubmit}
    >
      <fieldset className="settings-fields" disabled={!mayWrite}>
        <legend className="sr-only">Ownership rules</legend>
        <input type="hidden" name="form" value="ownership" />
        <RulesField
          id="ownership-rules"
          name="rules"
          label="Rules"
          hint="One per line: path:src/checkout/* #payments. Also module:, url: and tags.NAME:. Owners are addresses of members and #teams of the project."
          defaultValue={valueOf('rules', rules)}
          errors={errors}
        />
        {changed && (
          <p className="muted">
            Last changed by <UserText text={changed.by} /> <Ago atMs={changed.atMs} />
          </p>
        )}
        <div className="field">
          <label htmlFor="auto-assignment">New and regressed issues</label>
          <select
            className="input"
            id="auto-assignment"
            name="autoAssignment"
            defaultValue={valueOf('autoAssignment', autoAssignment)}
          >
            <option value="owners">Assign to the owner by rules</option>
            <option value="suspect_commits">
              Assign to the author of a suspect commit, else to the owner
            </option>
            <option value="off">Do not assign</option>
          </select>
        </div>
        <Tick name="isForAll" isOn={isTicked('isForAll', isForAll)}>
          Alert rules for owners tell all members about issues that nobody owns
        </Tick>
        {mayWrite && (
          <>
            <button type="submit" className="button button-primary" name="does" value="save">
              Save ownership rules
            </button>
            <Field
              id="ownership-sample"
              name="sample"
              label="Path or URL to try"
              hint="Uses the rules above, including unsaved changes."
              defaultValue={valueOf('sample', '')}
              autoComplete="off"
              spellCheck={false}
            />
            <button type="submit" className="button" name="does" value="try">
              Test on recent events
            </button>
          </>
        )}
      </fieldset>
      <div role="status" className="ownership-tried">
        {shown && <TriedList shown={shown} />}
      </div>
    </Form>
  )
}
