import type { PasskeyRequest } from '@sonde/access'
import { Form } from '@sonde/router'
import { useEffect, useRef, useState } from 'react'

export type PasskeySignInProps = {
  readonly options: PasskeyRequest
  /** Offered by the browser in the field for the address, too. */
  readonly isOffered?: boolean
  readonly error?: string | undefined
}

/** Asks the browser for a passkey and posts its answer. Without JavaScript it could do nothing, so it is not there. */
export function PasskeySignIn({ options, isOffered = false, error }: PasskeySignInProps) {
  const form = useRef<HTMLButtonElement>(null)
  const [response, setResponse] = useState('')
  const [isAble, setAble] = useState(false)
  const [trouble, setTrouble] = useState('')
  useEffect(() => {
    let isShown = true
    const offer = async (): Promise<void> => {
      const { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill, startAuthentication } =
        await import('@simplewebauthn/browser')
      if (!isShown || !browserSupportsWebAuthn()) return
      setAble(true)
      if (!isOffered || !(await browserSupportsWebAuthnAutofill()) || !isShown) return
      const answer = await startAuthentication({ optionsJSON: options, useBrowserAutofill: true })
      if (isShown) setResponse(JSON.stringify(answer))
    }
    // Nothing was chosen, or the button was pressed meanwhile.
    offer().catch(() => undefined)
    return () => {
      isShown = false
    }
  }, [options, isOffered])
  useEffect(() => {
    if (response !== '') form.current?.click()
  }, [response])
  const ask = async (): Promise<void> => {
    setTrouble('')
    try {
      const { startAuthentication } = await import('@simplewebauthn/browser')
      setResponse(JSON.stringify(await startAuthentication({ optionsJSON: options })))
    } catch {
      setTrouble('No passkey was used: it was cancelled, took too long, or this device has none for Sonde.')
    }
  }
  const told = trouble === '' ? error : trouble
  return (
    <div className="passkey-sign-in">
      {isAble && (
        <button type="button" className="button" onClick={() => void ask()}>
          Use a passkey
        </button>
      )}
      <div role="alert">{told !== undefined && <p className="field-error">{told}</p>}</div>
      <Form failure="The server could not be reached. Check the connection and try again.">
        <input type="hidden" name="passkey" value={response} />
        <button type="submit" ref={form} hidden>
          Continue
        </button>
      </Form>
    </div>
  )
}
