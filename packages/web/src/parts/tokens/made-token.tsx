import { CopyButton } from '../../ui/copy-button.tsx'

export type MadeToken = { readonly name: string; readonly token: string }

/** The token itself, once, in the answer to the post: it is stored nowhere. */
export function MadeTokenNotice({ made }: { readonly made: MadeToken | undefined }) {
  return (
    <div role="status">
      {made && (
        <div className="saved-notice">
          <p>Copy the token now. It won’t be shown again.</p>
          <div className="dsn">
            <code>{made.token}</code>
            <CopyButton text={made.token} what={`token ${made.name}`} />
          </div>
        </div>
      )}
    </div>
  )
}
