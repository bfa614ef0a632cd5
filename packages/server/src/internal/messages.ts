/** What front and back tell each other over the IPC channel of the child process. */

export type BackMessage =
  | { readonly kind: 'ready'; readonly notices: readonly string[] }
  /** The start failed; the message is for people. `mayPass`: what stands in the way may be gone in a moment. */
  | { readonly kind: 'failed'; readonly message: string; readonly mayPass: boolean }
  /** Only the front writes the log: it is asked to append a dead letter's record again. */
  | { readonly kind: 'append'; readonly id: number; readonly bytes: Uint8Array }

export type FrontMessage = {
  readonly kind: 'appended'
  readonly id: number
  readonly error: string | undefined
}
