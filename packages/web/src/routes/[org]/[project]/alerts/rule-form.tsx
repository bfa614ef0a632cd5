import { Form, useActionData, useParams } from '@sonde/router'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { useLiveTry } from '../../../../parts/forms/use-live-try.ts'
import { paths } from '../../../../paths.ts'
import { Field } from '../../../../ui/field.tsx'
import { IssueFields } from './issue-fields.tsx'
import { MetricFields } from './metric-fields.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { ReleaseFields } from './release-fields.tsx'
import type { RuleDraft, RuleKind } from './rule-draft.ts'
import { type Tellable, TellFields } from './tell-fields.tsx'
import type { RefusedRule, ShownTry } from './try-rule.server.ts'

type Props = Tellable & {
  /** Of one that is there. */
  readonly ruleId?: number
  readonly draft: RuleDraft
  readonly tried: ShownTry
  readonly mayWrite: boolean
}

const PLACEHOLDERS: Readonly<Record<RuleKind, string>> = {
  issue: 'New issues in production',
  metric: 'Too many failed navigations',
  release: 'Deployment gate',
}

/** The builder: what a rule fires on, whom it tells, and what it would have told. */
export function RuleForm({
  ruleId,
  draft: stored,
  tried,
  mayWrite,
  channels,
  trackers,
  members,
  teams,
}: Props) {
  const { org, project } = useParams<'org' | 'project'>()
  const answer = useActionData<() => Promise<RefusedRule>>()
  const refused = answer?.form === 'rule' ? answer : undefined
  const { errorOf } = useFormState('rule')
  const live = useLiveTry<ShownTry | 'unreached'>(paths.alertPreview(org, project), 'unreached')
  const draft = refused?.draft ?? stored
  return (
    <Form className="alert-form" onInput={live.tryForm} onBlur={live.tryForm} onSubmit={live.onSubmit}>
      <input type="hidden" name="kind" value={draft.kind} />
      {ruleId !== undefined && <input type="hidden" name="ruleId" value={ruleId} />}
      {/* Enter in a field looks what the rule would tell; it is stored by its own button. */}
      <button type="submit" name="does" value="try" className="sr-only" tabIndex={-1} aria-hidden="true">
        Preview
      </button>
      <fieldset disabled={!mayWrite}>
        <legend className="sr-only">Name</legend>
        <Field
          id="rule-name"
          name="name"
          label="Name"
          required
          maxLength={100}
          autoComplete="off"
          placeholder={PLACEHOLDERS[draft.kind]}
          defaultValue={draft.name}
          error={errorOf('name')}
        />
      </fieldset>
      {draft.kind === 'issue' ? (
        <IssueFields draft={draft} errorOf={errorOf} mayWrite={mayWrite} members={members} teams={teams} />
      ) : draft.kind === 'metric' ? (
        <MetricFields draft={draft} errorOf={errorOf} mayWrite={mayWrite} />
      ) : (
        <ReleaseFields draft={draft} errorOf={errorOf} mayWrite={mayWrite} />
      )}
      <PreviewPanel shown={live.preview ?? refused?.tried ?? tried} />
      <TellFields
        draft={draft}
        errorOf={errorOf}
        mayWrite={mayWrite}
        channels={channels}
        trackers={trackers}
        members={members}
        teams={teams}
      />
      {mayWrite && (
        <div className="alert-buttons">
          <button type="submit" className="button button-primary" name="does" value="save">
            Save rule
          </button>
          <button type="submit" className="button" name="does" value="try">
            Preview
          </button>
        </div>
      )}
    </Form>
  )
}
