/**
 * Text that came from outside: error messages, tag values, names. Its direction is its own (a right-to-left text must
 * not turn its surroundings around), and the whole of it is in the title where its place may cut it.
 */
const TITLE_CHARS = 500

export function UserText({ text, className }: { readonly text: string; readonly className?: string }) {
  return (
    <bdi className={className} title={titleOf(text)}>
      {text}
    </bdi>
  )
}

export function titleOf(text: string): string {
  return text.length > TITLE_CHARS ? `${text.slice(0, TITLE_CHARS)}…` : text
}
