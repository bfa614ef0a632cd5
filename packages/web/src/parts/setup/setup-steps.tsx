import './setup.css'
import { Form, useParams } from '@sonde/router'
import { useEffect, useState } from 'react'
import { paths } from '../../paths.ts'
import { Snippet } from '../../ui/copy-button.tsx'
import { platformFor, PLATFORMS } from './platforms.ts'

const SDK = 'sdk'

export type SetupStepsProps = {
  readonly platform: string
  readonly dsn: string
  /** Whether this person may send a sample. */
  readonly mayTest: boolean
}

/** How to send: install, set up, raise an error. Another platform or way can be looked at without saving anything. */
export function SetupSteps({ platform, dsn, mayTest }: SetupStepsProps) {
  const [shownId, setShownId] = useState(platformFor(platform).id)
  const [wayId, setWayId] = useState(SDK)
  const shown = platformFor(shownId)
  const own = shown.own?.find(({ id }) => id === wayId)
  const { install, setup } = own ?? shown
  return (
    <div className="setup">
      <Choices
        label="Platform"
        choices={PLATFORMS}
        chosen={shown.id}
        onChoose={(id) => {
          setShownId(id)
          setWayId(SDK)
        }}
      />
      {shown.own && (
        <Choices
          label="SDK"
          choices={[{ id: SDK, name: 'Sentry SDK' }, ...shown.own]}
          chosen={own?.id ?? SDK}
          onChoose={setWayId}
        />
      )}
      <ol className="setup-steps">
        {install !== undefined && (
          <li>
            <h2>Install the SDK</h2>
            <Snippet code={install} what="install command" />
          </li>
        )}
        <li>
          <h2>Initialize with your DSN</h2>
          {own && <p className="muted">{own.hint}</p>}
          <Snippet code={setup(dsn)} what="setup code" />
          {own?.id === 'tag' && <ScriptIntegrity />}
        </li>
        <li>
          <h2>Throw a test error</h2>
          <Snippet code={shown.test} what="test code" />
        </li>
      </ol>
      {mayTest && <TestEventButton />}
    </div>
  )
}

type ChoicesProps = {
  readonly label: string
  readonly choices: readonly { readonly id: string; readonly name: string }[]
  readonly chosen: string
  readonly onChoose: (id: string) => void
}

function Choices({ label, choices, chosen, onChoose }: ChoicesProps) {
  return (
    <div className="platforms" role="group" aria-label={label}>
      {choices.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          className="button button-small"
          aria-pressed={id === chosen}
          onClick={() => onChoose(id)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

// "Does it work?", answered by what really happens: a sample event goes through the project's own door.

/** For pages of one project. */
function TestEventButton() {
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <Form action={paths.testEvent(org, project)} className="test-event">
      <button type="submit" className="button">
        Send test event
      </button>
      <span className="muted">Sent to this project’s DSN and tagged as a sample.</span>
    </Form>
  )
}

/** The `integrity` value of the script that this Sonde serves now, for pages that pin what they load. */
function ScriptIntegrity() {
  const [value, setValue] = useState<string>()
  useEffect(() => {
    const gone = new AbortController()
    // Only secure contexts can hash; elsewhere the line is left out.
    readIntegrity(gone.signal).then(setValue, () => undefined)
    return () => gone.abort()
  }, [])
  if (value === undefined) return null
  return (
    <details>
      <summary>Use Subresource Integrity</summary>
      <p className="muted">
        Browsers load the script only if it matches this hash. After a Sonde upgrade that changes the script,
        browsers block it until you update the value.
      </p>
      <Snippet code={`integrity="${value}"`} what="integrity attribute" />
    </details>
  )
}

async function readIntegrity(signal: AbortSignal): Promise<string> {
  const answer = await fetch('/sonde.js', { signal })
  if (!answer.ok) throw new Error(`/sonde.js answered ${answer.status}`)
  const hash = await crypto.subtle.digest('SHA-384', await answer.arrayBuffer())
  return `sha384-${btoa(String.fromCharCode(...new Uint8Array(hash)))}`
}
