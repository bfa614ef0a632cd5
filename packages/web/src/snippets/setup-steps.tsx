import '../styles/setup.css'
import { useState } from 'react'
import { Snippet } from '../ui/snippet.tsx'
import { PLATFORMS, platformFor } from './platforms.ts'
import { TestEventButton } from './test-event-button.tsx'

/** How to send: install, set up, raise an error. Another platform can be looked at without saving anything. */
export function SetupSteps({ platform, dsn }: { readonly platform: string; readonly dsn: string }) {
  const [shownId, setShownId] = useState(platformFor(platform).id)
  const shown = platformFor(shownId)
  return (
    <div className="setup">
      <div className="platforms" role="group" aria-label="Platform">
        {PLATFORMS.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            className="button button-small"
            aria-pressed={id === shown.id}
            onClick={() => setShownId(id)}
          >
            {name}
          </button>
        ))}
      </div>
      <ol className="setup-steps">
        <li>
          <h2>Install the SDK</h2>
          <Snippet code={shown.install} what="install command" />
        </li>
        <li>
          <h2>Set it up with this project&rsquo;s DSN</h2>
          <Snippet code={shown.setup(dsn)} what="setup code" />
        </li>
        <li>
          <h2>Raise an error to see it arrive</h2>
          <Snippet code={shown.test} what="test code" />
        </li>
      </ol>
      <TestEventButton />
    </div>
  )
}
