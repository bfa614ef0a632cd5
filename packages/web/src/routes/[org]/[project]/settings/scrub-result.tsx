import type { ShownPreview } from './shown-preview.ts'

/** What the rules would take out of the sample, and what would be left. */
export function ScrubResult({ preview }: { readonly preview: ShownPreview }) {
  if (!preview.ok) return <p className="field-error">{preview.message}</p>
  const { removed, afterText } = preview
  return (
    <>
      {removed.length === 0 ? (
        <p>Nothing would be removed.</p>
      ) : (
        <>
          <p>
            {removed.length === 1
              ? '1 value would be removed:'
              : `${removed.length} values would be removed:`}
          </p>
          <ul className="scrub-removed">
            {removed.map(({ path, rule }, index) => (
              <li key={index}>
                <code>{path}</code> <span className="muted">by {rule}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <details className="key-fold">
        <summary>Show result</summary>
        <pre className="json" tabIndex={0}>
          {afterText}
        </pre>
      </details>
    </>
  )
}
