import '../../../../../parts/forms/settings.css'
import './grouping.css'
import { Form, useActionData, usePageData, useParams } from '@sonde/router'
import { RulesField } from '../../../../../parts/forms/rules-field.tsx'
import { useFormState } from '../../../../../parts/forms/use-form-state.ts'
import { paths } from '../../../../../paths.ts'
import { Section } from '../../../../../ui/section.tsx'
import { ExactTime } from '../../../../../ui/time.tsx'
import { SubpageHead } from '../subpage-head.tsx'
import type { load, RefusedGrouping } from './page.server.ts'
import { TrialResult } from './trial-result.tsx'
import { useTrial } from './use-trial.ts'

export function title(data: unknown) {
  return `Grouping · ${(data as { project: { name: string } }).project.name} · Sonde`
}

type Data = Awaited<ReturnType<typeof load>>

export default function Grouping() {
  const data = usePageData<typeof load>()
  const { project, mayWrite, versions } = data
  return (
    <div className="page page-narrow">
      <SubpageHead project={project} what="grouping" mayWrite={mayWrite} />
      <Section id="rules" title="Rules" note="Apply to new events, from top to bottom.">
        <RulesForm data={data} />
      </Section>
      {versions.length > 1 && (
        <Section id="version" title="Version" note="How events without a rule are grouped.">
          <VersionForm data={data} />
        </Section>
      )}
    </div>
  )
}

function RulesForm({ data }: { readonly data: Data }) {
  const { fingerprintRules, stackRules, mayWrite } = data
  const { org, project } = useParams<'org' | 'project'>()
  const { fieldErrors, valueOf } = useRefused('grouping-rules')
  const { state, onSubmit } = useTrial(paths.groupingTrial(org, project))
  const posted = useActionData<() => Promise<RefusedGrouping>>()
  const errorsOf = (field: string): readonly string[] => state.fields?.[field] ?? fieldErrors(field)
  return (
    <Form
      className="settings-form grouping-form"
      key={`${fingerprintRules}\0${stackRules}`}
      onSubmit={onSubmit}
    >
      <fieldset className="settings-fields" disabled={!mayWrite}>
        <legend className="sr-only">Grouping rules</legend>
        <input type="hidden" name="form" value="grouping-rules" />
        <RulesField
          id="fingerprint-rules"
          name="fingerprintRules"
          label="Fingerprint rules"
          hint="The first rule that matches decides. Example: error.type:DatabaseUnavailable -> system-down"
          defaultValue={valueOf('fingerprintRules', fingerprintRules)}
          errors={errorsOf('fingerprintRules')}
        />
        <RulesField
          id="stack-rules"
          name="stackRules"
          label="Stack-trace rules"
          hint="All rules apply, in their order. Example: stack.abs_path:**/node_modules/** -app"
          defaultValue={valueOf('stackRules', stackRules)}
          errors={errorsOf('stackRules')}
        />
        {mayWrite && (
          <div className="grouping-buttons">
            <button type="submit" className="button button-primary" name="does" value="save">
              Save rules
            </button>
            <button type="submit" className="button" name="does" value="try">
              Test on recent events
            </button>
          </div>
        )}
      </fieldset>
      <TrialResult state={state} posted={posted?.form === 'grouping-rules' ? posted.trial : undefined} />
    </Form>
  )
}

const WHAT: Readonly<Record<string, string>> = {
  v1: 'Groups by stack trace, else by exception, else by message.',
  v2: 'Like v1, but one error is one issue in every browser, wherever React caught it and however deep a recursion went.',
  v3: 'Like v2, but “Failed to fetch” is one issue for each endpoint, route and cause, where the event tells the request.',
  v4: 'Like v3, but a hydration error of React is one issue for each route and component, where the event tells the component.',
}

function VersionForm({ data }: { readonly data: Data }) {
  const { version, versions, previous, isMoving, moveDays, mayWrite } = data
  const { org, project } = useParams<'org' | 'project'>()
  const { state, onSubmit } = useTrial(paths.groupingTrial(org, project))
  const posted = useActionData<() => Promise<RefusedGrouping>>()
  const others: readonly string[] = versions.filter((each) => each !== version)
  return (
    <Form className="settings-form grouping-form" key={version} onSubmit={onSubmit}>
      <fieldset className="settings-fields" disabled={!mayWrite}>
        <legend className="sr-only">Grouping version</legend>
        <input type="hidden" name="form" value="grouping-version" />
        <p>
          New events are grouped by <strong>{version}</strong>. {WHAT[version]}
        </p>
        {previous && isMoving && (
          <p>
            Until <ExactTime atMs={previous.untilMs} /> issues are found by {previous.version} too, so that
            those that exist are kept.
          </p>
        )}
        <p>Another version, after a move of {moveDays} days in which both find issues:</p>
        {others.map((each, at) => (
          <label key={each} className="grouping-version">
            <input type="radio" name="version" value={each} defaultChecked={at === others.length - 1} />
            <span>
              <strong>{each}</strong>: {WHAT[each]}
              {isMoving && previous?.version === each && ' This is where the project comes from.'}
            </span>
          </label>
        ))}
        {mayWrite && (
          <div className="grouping-buttons">
            <button type="submit" className="button" name="does" value="try">
              Test it on recent events
            </button>
            <button type="submit" className="button" name="does" value="save">
              Move to this version
            </button>
          </div>
        )}
      </fieldset>
      <TrialResult state={state} posted={posted?.form === 'grouping-version' ? posted.trial : undefined} />
    </Form>
  )
}

function useRefused(form: string) {
  const { isRefused, valueOf } = useFormState(form)
  const answer = useActionData<() => Promise<RefusedGrouping>>()
  return {
    valueOf,
    fieldErrors: (field: string): readonly string[] => (isRefused ? (answer?.fields[field] ?? []) : []),
  }
}
