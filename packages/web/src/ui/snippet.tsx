import { CopyButton } from './copy-button.tsx'

/** Code to take away. */
export function Snippet({ code, what }: { readonly code: string; readonly what: string }) {
  return (
    <div className="snippet">
      <pre tabIndex={0} aria-label={what}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} what={what} />
    </div>
  )
}
