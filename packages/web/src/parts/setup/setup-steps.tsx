import './setup.css'
import { useState } from 'react'
import { Snippet } from '../../ui/snippet.tsx'
import { PLATFORMS, platformFor } from './platforms.ts'
import { ScriptIntegrity } from './script-integrity.tsx'
import { TestEventButton } from './test-event-button.tsx'

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
