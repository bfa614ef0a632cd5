import type { CodeLine } from './frame-groups.ts'

/** Longer lines are minified code, which nobody reads in full here. */
const MAX_LINE = 500

/** Source around a call. Scrolls sideways rather than wrapping: indentation is how code is read. */
export function CodeContext({ lines }: { readonly lines: readonly CodeLine[] }) {
  return (
    <ol className="code" dir="ltr">
      {lines.map(({ number, text, isCurrent }, index) => (
        <li
          key={index}
          className={isCurrent ? 'code-current' : undefined}
          aria-current={isCurrent || undefined}
        >
          <span className="code-number">{number ?? ''}</span>
          <code>{text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)} …` : text}</code>
        </li>
      ))}
    </ol>
  )
}
