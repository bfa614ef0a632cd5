import { UPTIME_INTERVALS, UPTIME_METHODS } from '@sonde/alerts/contract'
import { Form, useActionData } from '@sonde/router'
import { type Tellable, TellFields } from '../../../../parts/alerts/tell-fields.tsx'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { Field } from '../../../../ui/field.tsx'
import { LinesField } from '../../../../ui/lines-field.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { CheckResult } from './check-result.tsx'
import type { MonitorDraft } from './monitor-draft.ts'
import type { AnsweredMonitor } from './save-monitor.server.ts'
import { everyText } from './uptime-words.ts'

/** What is asked, what is right, when it is down, whom it tells. */
export function MonitorForm({ draft: stored, ...tellable }: Tellable & { readonly draft: MonitorDraft }) {
  const answer = useActionData<() => Promise<AnsweredMonitor>>()
  const answered = answer?.form === 'monitor' ? answer : undefined
  const { errorOf } = useFormState('monitor')
  const draft = answered?.draft ?? stored
  return (
    <Form className="settings-form uptime-form">
      <fieldset>
        <legend>Ask</legend>
        <Field
          id="name"
          name="name"
          label="Name"
          required
          maxLength={100}
          autoComplete="off"
          placeholder="Shop, front page"
          defaultValue={draft.name}
          error={errorOf('name')}
        />
        <Field
          id="url"
          name="url"
          label="Address"
          type="url"
          required
          maxLength={2_048}
          defaultValue={draft.url}
          error={errorOf('url')}
        />
        <div className="uptime-row">
          <SelectField
            id="method"
            name="method"
            label="Method"
            value={draft.method}
            choices={UPTIME_METHODS.map((method) => [method, method] as const)}
            error={errorOf('method')}
          />
          <SelectField
            id="intervalSec"
            name="intervalSec"
            label="Every"
            value={draft.intervalSec}
            choices={UPTIME_INTERVALS.map((seconds) => [String(seconds), everyText(seconds)] as const)}
            error={errorOf('intervalSec')}
          />
          <Field
            id="timeoutSec"
            name="timeoutSec"
            label="Timeout, seconds"
            inputMode="decimal"
            defaultValue={draft.timeoutSec}
            error={errorOf('timeoutMs')}
          />
        </div>
        <details
          className="key-fold"
          open={draft.headers + draft.secretHeaders + draft.body !== '' || undefined}
        >
          <summary>Headers and body</summary>
          <LinesField
            id="headers"
            name="headers"
            label="Headers"
            hint="One a line: name: value"
            defaultValue={draft.headers}
            error={errorOf('headers')}
          />
          <LinesField
            id="secretHeaders"
            name="secretHeaders"
            label="Secret headers"
            hint="Stored encrypted and not shown again. A name without a value keeps the value that is stored."
            defaultValue={draft.secretHeaders}
            placeholder="Authorization: Bearer …"
          />
          <LinesField id="body" name="body" label="Body" defaultValue={draft.body} error={errorOf('body')} />
        </details>
      </fieldset>
      <fieldset>
        <legend>Expect</legend>
        <div className="uptime-row">
          <Field
            id="statuses"
            name="statuses"
            label="Status"
            hint="Such as 200-299, 301"
            defaultValue={draft.statuses}
            error={errorOf('statuses')}
          />
          <Field
            id="maxResponseMs"
            name="maxResponseMs"
            label="Within, milliseconds"
            hint="Empty: within the timeout"
            inputMode="numeric"
            defaultValue={draft.maxResponseMs}
            error={errorOf('maxResponseMs')}
          />
          <Field
            id="certificateDays"
            name="certificateDays"
            label="Certificate valid for, days"
            hint="Empty: until it ends"
            inputMode="numeric"
            defaultValue={draft.certificateDays}
            error={errorOf('certificateDays')}
          />
          <Field
            id="maxRedirects"
            name="maxRedirects"
            label="Redirects at most"
            hint="0: a redirect is the answer"
            inputMode="numeric"
            defaultValue={draft.maxRedirects}
            error={errorOf('maxRedirects')}
          />
        </div>
        <LinesField
          id="contains"
          name="contains"
          label="The body contains"
          hint="One text a line"
          defaultValue={draft.contains}
          error={errorOf('contains')}
          rows={2}
        />
        <details
          className="key-fold"
          open={draft.notContains + draft.json + draft.dnsFailure !== '' || undefined}
        >
          <summary>More about the body and the name</summary>
          <LinesField
            id="notContains"
            name="notContains"
            label="The body does not contain"
            hint="One text a line"
            defaultValue={draft.notContains}
            error={errorOf('notContains')}
            rows={2}
          />
          <LinesField
            id="json"
            name="json"
            label="Values in JSON"
            hint="One a line: data.items[0].state = ready"
            defaultValue={draft.json}
            error={errorOf('json')}
            rows={2}
          />
          <Field
            id="dnsFailure"
            name="dnsFailure"
            label="The name is not found, with the text"
            hint="Such as ENOTFOUND. Then the monitor is up as long as the name does not exist."
            defaultValue={draft.dnsFailure}
            error={errorOf('dnsFailure')}
          />
        </details>
      </fieldset>
      <fieldset>
        <legend>Down and up</legend>
        <div className="uptime-row">
          <Field
            id="failures"
            name="failures"
            label="Down after failed checks"
            inputMode="numeric"
            defaultValue={draft.failures}
            error={errorOf('failures')}
          />
          <Field
            id="failuresOf"
            name="failuresOf"
            label="Of the last checks"
            inputMode="numeric"
            defaultValue={draft.failuresOf}
            error={errorOf('failuresOf')}
          />
          <Field
            id="recoveries"
            name="recoveries"
            label="Up after checks in a row"
            inputMode="numeric"
            defaultValue={draft.recoveries}
            error={errorOf('recoveries')}
          />
          <Field
            id="environment"
            name="environment"
            label="Environment"
            maxLength={64}
            defaultValue={draft.environment}
            error={errorOf('environment')}
          />
        </div>
      </fieldset>
      <TellFields draft={draft} error={errorOf('actions')} {...tellable} />
      {answered?.check && <CheckResult check={answered.check} />}
      <div className="uptime-buttons">
        <button type="submit" className="button button-primary" name="does" value="save">
          Save monitor
        </button>
        <button type="submit" className="button" name="does" value="try">
          Test once
        </button>
      </div>
    </Form>
  )
}
