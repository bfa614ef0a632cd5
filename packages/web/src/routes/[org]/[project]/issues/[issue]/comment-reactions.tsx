import type { CommentReactions } from '@sonde/queries'
import { Form } from '@sonde/router'

/** As `REACTIONS` of the records has them; the server refuses others. */
const REACTIONS = ['👍', '👎', '😄', '🎉', '😕', '❤️', '🚀', '👀'] as const
const NAMES = ['Thumbs up', 'Thumbs down', 'Laugh', 'Hooray', 'Confused', 'Heart', 'Rocket', 'Eyes']
const nameOf = (reaction: string): string => NAMES[REACTIONS.indexOf(reaction as '👍')] ?? reaction

type Props = {
  readonly id: number
  readonly action: string
  readonly reactions: readonly CommentReactions[]
  readonly mayReact: boolean
  readonly children?: React.ReactNode
}

/** Those that were given, as buttons that give or take back one's own, and a list of all. */
export function ReactionBar({ id, action, reactions, mayReact, children }: Props) {
  return (
    <Form action={action} className="reactions">
      <input type="hidden" name="id" value={id} />
      {reactions.map(({ reaction, count, isMine, by }) => (
        <button
          key={reaction}
          type="submit"
          name="reaction"
          value={reaction}
          className="reaction"
          disabled={!mayReact}
          aria-pressed={isMine}
          aria-label={`${nameOf(reaction)}, ${count}: ${by.join(', ')}`}
          title={`${by.join(', ')}${count > by.length ? ` and ${count - by.length} more` : ''}`}
        >
          {reaction} {count}
        </button>
      ))}
      {mayReact && (
        <details className="reaction-menu">
          <summary title="Add a reaction" aria-label="Add a reaction">
            ☺+
          </summary>
          <span className="reaction-choices">
            {REACTIONS.map((reaction) => (
              <button
                key={reaction}
                type="submit"
                name="reaction"
                value={reaction}
                aria-label={nameOf(reaction)}
                title={nameOf(reaction)}
                onClick={({ currentTarget }) => currentTarget.closest('details')?.removeAttribute('open')}
              >
                {reaction}
              </button>
            ))}
          </span>
        </details>
      )}
      {children}
    </Form>
  )
}
