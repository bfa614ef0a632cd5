/** What can be done about one dead letter; nothing once it was discarded. */
import { Form } from '@sonde/router'
import { paths } from '../../../paths.ts'
import { Ago } from '../../../ui/time.tsx'

type Letter = {
  readonly id: number
  readonly replayedMs?: number | undefined
  readonly discardedMs?: number | undefined
}

export function DeadActions({ letter: { id, replayedMs, discardedMs } }: { readonly letter: Letter }) {
  if (discardedMs !== undefined)
    return (
      <span className="muted">
        discarded <Ago atMs={discardedMs} />
      </span>
    )
  if (replayedMs !== undefined)
    return (
      <span className="muted">
        replayed <Ago atMs={replayedMs} />
      </span>
    )
  return (
    <Form action={paths.status()} className="dead-buttons">
      <input type="hidden" name="id" value={id} />
      <DeadButton change="replay" text="Replay" label={`Replay dead letter ${id}`} />
      <DeadButton change="discard" text="Discard" label={`Discard dead letter ${id}`} />
    </Form>
  )
}

type ButtonProps = { readonly change: 'replay' | 'discard'; readonly text: string; readonly label?: string }

export function DeadButton({ change, text, label }: ButtonProps) {
  return (
    <button
      type="submit"
      name="change"
      value={change}
      className="button button-small"
      {...(label !== undefined && { 'aria-label': label })}
    >
      {text}
    </button>
  )
}
