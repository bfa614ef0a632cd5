import { Form } from '@sonde/router'
import { useRef } from 'react'
import { useKeptFocus } from '../../shell/use-kept-focus.ts'
import { useShortcuts } from '../../shell/use-shortcuts.ts'
import { Icon } from '../../ui/icon.tsx'

type Props = {
  readonly issue: {
    readonly isBookmarked: boolean
    readonly isSubscribed: boolean
    readonly reviewReason: string | undefined
  }
  /** The others are one's own, and for all who see the issue. */
  readonly mayReview: boolean
}

const REASONS: Readonly<Record<string, string>> = {
  new: 'It is new',
  regression: 'It came back after it was resolved',
  escalating: 'It came much more often',
  unignored: 'What it was ignored until has happened',
}

/** What one person notes about an issue, and that somebody has reviewed it. */
export function MarksBar({ issue: { isBookmarked, isSubscribed, ...issue }, mayReview }: Props) {
  const reviewReason = mayReview ? issue.reviewReason : undefined
  const review = useRef<HTMLButtonElement>(null)
  const marks = useRef<HTMLFormElement>(null)
  const noteFocus = useKeptFocus(marks, reviewReason)
  useShortcuts(reviewReason === undefined ? {} : { 'issue.review': () => review.current?.click() })
  return (
    <Form ref={marks} className="issue-actions" aria-label="Your marks" onSubmit={noteFocus}>
      {reviewReason !== undefined && (
        <button
          ref={review}
          type="submit"
          name="review"
          value="1"
          className="button"
          title={`For review: ${REASONS[reviewReason] ?? ''} (r)`}
        >
          <Icon name="check" /> Mark reviewed
        </button>
      )}
      <button
        type="submit"
        name="bookmark"
        value={isBookmarked ? '0' : '1'}
        className="button mark-button"
        aria-pressed={isBookmarked}
        aria-label="Bookmark"
        title={isBookmarked ? 'Remove the bookmark' : 'Bookmark, and be told of changes'}
      >
        <Icon name={isBookmarked ? 'starred' : 'star'} />
      </button>
      <button
        type="submit"
        name="subscribe"
        value={isSubscribed ? '0' : '1'}
        className="button mark-button"
        aria-pressed={isSubscribed}
        aria-label="Subscribe"
        title={isSubscribed ? 'You are told of changes. Unsubscribe' : 'Be told of changes'}
      >
        <Icon name={isSubscribed ? 'ringing' : 'bell'} />
      </button>
    </Form>
  )
}
