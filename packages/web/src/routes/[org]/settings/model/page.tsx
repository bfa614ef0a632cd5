import '../../../../parts/forms/settings.css'
import '../../../../parts/integrations/integrations.css'
import { Form, useActionData, usePageData } from '@sonde/router'
import { SavedNotice } from '../../../../parts/forms/saved-notice.tsx'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { Tried } from '../../../../parts/integrations/kind-fields.tsx'
import { Field, Tick } from '../../../../ui/field.tsx'
import { Section } from '../../../../ui/section.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { SettingsHead } from '../settings-head.tsx'
import type { action, load } from './page.server.ts'

export function title(data: unknown) {
  return `Language model · ${(data as { orgName: string }).orgName} · Sonde`
}

export default function LanguageModel() {
  const { orgName, own } = usePageData<typeof load>()
  return (
    <div className="page page-narrow">
      <SettingsHead name={orgName} here="model">
        <span className="muted">language model</span>
      </SettingsHead>
      <SavedNotice />
      <p>
        A language model of your own can explain issues: any server with an OpenAI-compatible API, at a
        provider or on your machines. Without one nothing leaves this Sonde.
      </p>
      <p className="muted">
        When a member presses “Explain” on an issue, Sonde sends the text that “Copy as prompt” copies: error,
        stack trace with code, breadcrumbs, tags, trace, suspect commits. It leaves out who the user was, and
        the headers, cookies, query and body of the request. Messages are sent as they were recorded. Each
        explanation is in the audit log.
      </p>
      {own ? (
        <OwnModel model={own.model} />
      ) : (
        <p className="muted">Admins and owners can set up a language model.</p>
      )}
    </div>
  )
}

type Model = NonNullable<Awaited<ReturnType<typeof load>>['own']>['model']

function OwnModel({ model }: { readonly model: Model }) {
  const tried = useActionData<typeof action>()?.tried
  return (
    <>
      <Section
        id="settings"
        title={model ? 'Settings' : 'Set up a language model'}
        note={
          model && (
            <>
              Changed <Ago atMs={model.updatedMs} />
            </>
          )
        }
      >
        <ModelForm key={model?.updatedMs} model={model} />
      </Section>
      {model && (
        <>
          <Section id="test" title="Test" note="Asks the model for one word. No data of an issue is sent.">
            <Form className="settings-line">
              <input type="hidden" name="form" value="test" />
              <button type="submit" className="button">
                Test language model
              </button>
            </Form>
            <Tried tried={tried} good="The model answers." bad="The model can’t be used as it is set up." />
          </Section>
          <Section id="remove" title="Remove">
            <Form className="settings-form danger">
              <input type="hidden" name="form" value="remove" />
              <p>Address and key are deleted. “Explain” is gone from issues.</p>
              <button type="submit" className="button button-danger">
                Remove language model
              </button>
            </Form>
          </Section>
        </>
      )}
    </>
  )
}

const PRICE = { type: 'number', min: 0, step: 'any', inputMode: 'decimal' } as const

function ModelForm({ model }: { readonly model: Model }) {
  const { errorOf, valueOf, isTicked } = useFormState('model')
  const price = (value: number | null | undefined): string =>
    value === null || value === undefined ? '' : String(value)
  return (
    <Form className="settings-form">
      <input type="hidden" name="form" value="model" />
      <Field
        id="model-url"
        name="url"
        type="url"
        label="API address"
        required
        placeholder="https://api.openai.com/v1"
        hint="Without /chat/completions. A model on your network: SONDE_OUTGOING_ALLOW must list its address."
        defaultValue={valueOf('url', model?.url ?? '')}
        error={errorOf('url')}
      />
      <Field
        id="model-name"
        name="model"
        label="Model"
        required
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        hint="As the server names it."
        defaultValue={valueOf('model', model?.model ?? '')}
        error={errorOf('model')}
      />
      <Field
        id="model-key"
        name="key"
        type="password"
        label="API key"
        autoComplete="off"
        hint={
          model?.hasKey
            ? 'Stored encrypted and never shown again. Left empty, it stays as it is.'
            : 'Left empty where the server wants none. Stored encrypted and never shown again.'
        }
        error={errorOf('key')}
      />
      {model?.hasKey && (
        <Tick name="noKey" isOn={isTicked('noKey', false)}>
          Delete the stored key
        </Tick>
      )}
      <Field
        id="model-input-price"
        name="inputPrice"
        {...PRICE}
        label="Price of a million input tokens"
        hint="In your currency. With both prices, an explanation says what it cost."
        defaultValue={valueOf('inputPrice', price(model?.inputPrice))}
        error={errorOf('inputPrice')}
      />
      <Field
        id="model-output-price"
        name="outputPrice"
        {...PRICE}
        label="Price of a million output tokens"
        defaultValue={valueOf('outputPrice', price(model?.outputPrice))}
        error={errorOf('outputPrice')}
      />
      <button type="submit" className="button button-primary">
        Save language model
      </button>
    </Form>
  )
}
