import { deviceName } from '@sonde/access/device-name'
import { Form, useActionData, usePost } from '@sonde/router'
import { useEffect, useState } from 'react'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Ago } from '../../../ui/time.tsx'
import { UserText } from '../../../ui/user-text.tsx'
import type { action } from './page.server.ts'
import {
  lookAtThisBrowser,
  subscribeThisBrowser,
  type ThisBrowser,
  unsubscribeThisBrowser,
} from './this-browser.ts'

type Browser = {
  readonly id: number
  readonly userAgent: string
  readonly createdMs: number
  readonly digest: string
}

export type PushBrowsersProps = { readonly pushKey: string; readonly browsers: readonly Browser[] }

/** Notifications of this browser, and the person's others. */
export function PushBrowsers({ pushKey, browsers }: PushBrowsersProps) {
  const post = usePost()
  const [here, setHere] = useState<ThisBrowser>()
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState('')
  useEffect(() => {
    let isShown = true
    const look = async (): Promise<void> => {
      const seen = await lookAtThisBrowser()
      if (isShown) setHere(seen)
    }
    void look()
    return () => {
      isShown = false
    }
  }, [])
  const own = here?.state === 'subscribed' ? browsers.find(({ digest }) => digest === here.digest) : undefined

  /** One thing at a time; what the browser or the network says against it is shown. */
  const during = async (change: () => Promise<string>): Promise<void> => {
    setBusy(true)
    setTrouble('')
    try {
      setTrouble(await change())
    } catch (error) {
      setTrouble(`The browser could not do it: ${error instanceof Error ? error.message : String(error)}`)
    }
    setHere(await lookAtThisBrowser())
    setBusy(false)
  }
  const send = async (fields: Readonly<Record<string, string>>): Promise<string> => {
    const outcome = await post(paths.notifications(), fields)
    return outcome === 'done' || outcome === 'left' ? '' : 'It was not saved. Try again.'
  }
  const switchOn = () =>
    during(async () => {
      const subscribed = await subscribeThisBrowser(pushKey)
      if (subscribed) return send({ form: 'push-on', ...subscribed })
      return Notification.permission === 'denied'
        ? ''
        : 'The browser’s question was closed without an answer. Switch it on once more and allow it.'
    })
  const switchOff = (id: number) =>
    during(async () => {
      await unsubscribeThisBrowser()
      return send({ form: 'push-off', id: String(id) })
    })

  return (
    <>
      <noscript>
        <p>Notifications in a browser need JavaScript.</p>
      </noscript>
      <div className="settings-line push-line" aria-live="polite">
        {own ? (
          <>
            <p>Notifications are on in this browser.</p>
            <button type="button" className="button" disabled={isBusy} onClick={() => void switchOff(own.id)}>
              Switch off
            </button>
          </>
        ) : (
          <NotOn here={here} isBusy={isBusy} onSwitchOn={() => void switchOn()} />
        )}
      </div>
      <div role="alert">{trouble !== '' && <p className="field-error">{trouble}</p>}</div>
      <Tested />
      {browsers.length > 0 && (
        <ul className="account-list" aria-label="Browsers with notifications">
          {browsers.map((browser) => (
            <BrowserLine key={browser.id} browser={browser} isHere={browser.id === own?.id} />
          ))}
        </ul>
      )}
    </>
  )
}

const WHY_NOT = {
  insecure:
    'Browsers show notifications of pages that come over https only. Open Sonde by its https address.',
  unsupported: 'This browser can’t show notifications of websites. Open this page in another one.',
  blocked:
    'This browser blocks notifications of Sonde. Press the icon beside the address, allow notifications, and reload the page.',
} as const

type NotOnProps = {
  /** Undefined: it was not asked yet. */
  readonly here: ThisBrowser | undefined
  readonly isBusy: boolean
  readonly onSwitchOn: () => void
}

function NotOn({ here, isBusy, onSwitchOn }: NotOnProps) {
  if (here === undefined) return <p className="muted">Looking at this browser…</p>
  if (here.state !== 'off' && here.state !== 'subscribed')
    return (
      <p>
        <Badge tone="attention">not possible</Badge> {WHY_NOT[here.state]}
      </p>
    )
  return (
    <>
      <p>Notifications are off in this browser. They appear also while Sonde is not open.</p>
      <button type="button" className="button button-primary" disabled={isBusy} onClick={onSwitchOn}>
        Switch on for this browser
      </button>
    </>
  )
}

function BrowserLine({ browser, isHere }: { readonly browser: Browser; readonly isHere: boolean }) {
  const { id, userAgent, createdMs } = browser
  const name = deviceName(userAgent) ?? 'A browser'
  return (
    <li>
      <div className="account-item">
        <p>
          <UserText text={name} /> {isHere && <Badge tone="good">this browser</Badge>}
        </p>
        <p className="muted">
          switched on <Ago atMs={createdMs} />
        </p>
      </div>
      <div className="push-actions">
        <Form>
          <input type="hidden" name="form" value="push-test" />
          <input type="hidden" name="id" value={id} />
          <button type="submit" className="button button-small" aria-label={`Send test to ${name}`}>
            Send test
          </button>
        </Form>
        {!isHere && (
          <Form>
            <input type="hidden" name="form" value="push-off" />
            <input type="hidden" name="id" value={id} />
            <button type="submit" className="button button-small" aria-label={`Remove ${name}`}>
              Remove
            </button>
          </Form>
        )}
      </div>
    </li>
  )
}

function Tested() {
  const tested = useActionData<typeof action>()?.tested
  return (
    <div role="status">
      {tested && (
        <p className={tested.isDelivered ? 'saved-notice' : 'field-error'}>
          {tested.isDelivered ? 'The test is on its way.' : 'The test was not delivered.'} The browser’s push
          service answered: <UserText text={tested.answer} />
        </p>
      )}
    </div>
  )
}
