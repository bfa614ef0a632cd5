import type { ChannelKind } from '@sonde/stores'
import { KindFields, type KindFieldsProps, KindSteps } from '../../../../parts/integrations/kind-fields.tsx'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { KINDS } from './channel-kinds.ts'

export type ChannelFieldsProps = Pick<KindFieldsProps, 'state' | 'stored'> & { readonly kind: ChannelKind }

/** Name, settings and secret of a channel. */
export function ChannelFields({ kind, ...form }: ChannelFieldsProps) {
  const words = KINDS[kind]
  return <KindFields prefix="channel" words={words} namePlaceholder={`${words.name}: #alerts`} {...form} />
}

export type ChannelHookProps = { readonly kind: ChannelKind; readonly url: string }

/** The address at which the other program tells what people do there; of a kind that does. */
export function ChannelHook({ kind, url }: ChannelHookProps) {
  const { hook } = KINDS[kind]
  if (!hook) return null
  return (
    <>
      <div className="dsn">
        <code>{url}</code>
        <CopyButton text={url} what={hook.name.toLowerCase()} />
      </div>
      <KindSteps steps={hook.steps} />
    </>
  )
}

/** How the program at the other end knows that a message is from here. */
export function HowToVerify() {
  return (
    <details className="key-fold verify-fold">
      <summary>How to verify the signature</summary>
      <p>
        Messages are signed as{' '}
        <a href="https://www.standardwebhooks.com/" rel="noreferrer">
          Standard Webhooks
        </a>{' '}
        says. In Node, with <code>npm install standardwebhooks</code>:
      </p>
      <pre className="verify-code" tabIndex={0}>
        <code>{VERIFY}</code>
      </pre>
      <p>
        Without a library: <code>webhook-signature</code> is <code>v1,</code> and the Base64 of the
        HMAC-SHA256 of <code>webhook-id.webhook-timestamp.body</code>, with the bytes behind{' '}
        <code>whsec_</code> (Base64) as key. A message that is sent again has the same <code>webhook-id</code>
        .
      </p>
    </details>
  )
}

const VERIFY = `import { Webhook } from 'standardwebhooks'
// body: the bytes as they came, before JSON.parse
const message = new Webhook(signingSecret).verify(body, headers)`
