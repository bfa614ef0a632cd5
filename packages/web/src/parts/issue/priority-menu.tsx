import { Badge } from '../../ui/badge.tsx'
import { FormMenu } from './form-menu.tsx'

/** `priorityOf` says it. */
const RULE =
  'By the rule: high is fatal, unhandled or escalating; medium other errors and warnings; low the rest'
const NAMES = { high: 'High', medium: 'Medium', low: 'Low' } as const
const TONES = { high: 'bad', medium: undefined, low: undefined } as const

export type ShownPriority = keyof typeof NAMES

type Prioritized = { readonly priority: ShownPriority; readonly isPrioritySet: boolean }

export function PriorityBadge({ issue: { priority, isPrioritySet } }: { readonly issue: Prioritized }) {
  const tone = TONES[priority]
  return (
    <Badge {...(tone && { tone })} title={isPrioritySet ? 'Priority set by hand' : `Priority. ${RULE}`}>
      {NAMES[priority]}
    </Badge>
  )
}

/** The choices, as buttons of the form around them. */
export function PriorityChoices() {
  return (
    <div className="menu-list">
      {(['high', 'medium', 'low'] as const).map((priority) => (
        <button
          key={priority}
          type="submit"
          name="priority"
          value={priority}
          data-closes
          data-verb="Set"
          data-suffix={`to ${priority} priority`}
        >
          {NAMES[priority]} priority
        </button>
      ))}
      <button
        type="submit"
        name="priority"
        value="rule"
        title={RULE}
        data-closes
        data-verb="Set"
        data-suffix="to the priority by the rule"
      >
        Priority by the rule
      </button>
    </div>
  )
}

export function PriorityMenu({ issue }: { readonly issue: Prioritized }) {
  return (
    <FormMenu
      isInForm={false}
      className="priority-menu"
      button={<PriorityBadge issue={issue} />}
      label={`Priority: ${issue.priority}${issue.isPrioritySet ? ', set by hand' : ''}`}
    >
      <PriorityChoices />
    </FormMenu>
  )
}
