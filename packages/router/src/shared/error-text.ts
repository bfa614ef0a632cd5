/** The words of the fall-back page (E1, E2). One text for both sides. */

/** E1, exactly. `host` is the page's host with its port. */
export function failureSentence(host: string): string {
  return `Application error: a client-side or server-side exception has occurred while loading ${host} (see the browser console or server logs for more information)`
}

/** E2: only when a server digest exists. */
export function digestLine(digest: string): string {
  return `Digest: ${digest}`
}
