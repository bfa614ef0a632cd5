/**
 * The digest of a failure on the server after it had sent the shell. React hands it over when it starts to render the
 * part again in the browser, and says nothing of which part; when that fails too, the fall-back page has this digest.
 * What fails after somebody has done something, or after other data came, is the browser's own failure: no digest (E2).
 */
export type StreamedDigest = {
  readonly get: () => string | undefined
  readonly set: (digest: string) => void
  readonly forget: () => void
}

export function createStreamedDigest(target: EventTarget): StreamedDigest {
  let digest: string | undefined
  const forget = (): void => {
    digest = undefined
  }
  for (const type of ['pointerdown', 'keydown']) target.addEventListener(type, forget, { capture: true })
  return { get: () => digest, set: (value) => void (digest = value), forget }
}
