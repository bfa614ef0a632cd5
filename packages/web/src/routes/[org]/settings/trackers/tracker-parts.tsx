import type { TrackerKind } from '@sonde/stores'
import type { FormState } from '../../../../parts/forms/use-form-state.ts'
import { KindFields, type KindFieldsProps } from '../../../../parts/integrations/kind-fields.tsx'
import { Badge } from '../../../../ui/badge.tsx'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { Tick } from '../../../../ui/field.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { KINDS } from './tracker-kinds.ts'

export type TrackerFieldsProps = {
  readonly kind: TrackerKind
  readonly state: FormState
  /** Of a connection that is there. */
  readonly stored?: NonNullable<KindFieldsProps['stored']> & SyncChoices
}
type SyncChoices = { readonly isSyncedIn: boolean; readonly isSyncedOut: boolean }

/** Name, settings and token of a connection, and what either side does when the other changes. */
export function TrackerFields({ kind, state, stored }: TrackerFieldsProps) {
  const words = KINDS[kind]
  const { isSyncedIn, isSyncedOut } = stored ?? { isSyncedIn: true, isSyncedOut: true }
  return (
    <>
      <KindFields
        prefix="tracker"
        words={words}
        namePlaceholder={`${words.name} of the shop`}
        state={state}
        {...(stored && { stored })}
      />
      <fieldset className="tracker-sync">
        <legend>Keep in step</legend>
        <Tick name="syncIn" isOn={state.isTicked('syncIn', isSyncedIn)}>
          Closed in {words.name}: resolve here. Opened again there: reopen here.
        </Tick>
        <Tick name="syncOut" isOn={state.isTicked('syncOut', isSyncedOut)}>
          Resolved here: close in {words.name}. Reopened or back here: open again there.
        </Tick>
      </fieldset>
    </>
  )
}

export type TrackerHealthProps = {
  readonly tracker: { readonly failingSinceMs?: number | undefined; readonly webhookMs?: number | undefined }
}

/** Whether the tracker takes what it is sent, and whether its webhooks come. */
export function TrackerHealth({ tracker: { failingSinceMs, webhookMs } }: TrackerHealthProps) {
  return (
    <>
      {failingSinceMs !== undefined && (
        <>
          <Badge tone="bad">failing</Badge> since <Ago atMs={failingSinceMs} /> ·{' '}
        </>
      )}
      {webhookMs === undefined ? (
        'no webhook yet'
      ) : (
        <>
          last webhook <Ago atMs={webhookMs} />
        </>
      )}
    </>
  )
}

export type WebhookSetUpProps = {
  readonly kind: TrackerKind
  readonly webhookUrl: string
  /** Just made: shown this once. */
  readonly webhookSecret?: string | undefined
}

/** What is entered in the tracker, so that it tells of its changes. */
export function WebhookSetUp({ kind, webhookUrl, webhookSecret }: WebhookSetUpProps) {
  const { webhookSteps, webhookSecret: secretName, ownSecretField } = KINDS[kind]
  return (
    <>
      <ol className="kind-steps">
        {webhookSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="tracker-copied">URL</p>
      <div className="dsn">
        <code>{webhookUrl}</code>
        <CopyButton text={webhookUrl} what="URL of the webhook" />
      </div>
      {webhookSecret !== undefined && ownSecretField === undefined && (
        <>
          <p className="tracker-copied">{secretName}. Copy it now, it won’t be shown again.</p>
          <div className="dsn">
            <code>{webhookSecret}</code>
            <CopyButton text={webhookSecret} what="secret of the webhook" />
          </div>
        </>
      )}
    </>
  )
}
