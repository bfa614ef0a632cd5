/** Setting two-factor sign-in up, as it travels to the page: nothing of it is in force yet. */
export type ShownSetup = {
  /** `otpauth://totp/…`: opened by an authenticator app on the same device, and posted with the first code. */
  readonly otpauthUri: string
  /** The key in groups of four, for typing. */
  readonly secretGroups: readonly string[]
  /** Undefined when the address is too long for a code that a camera reads with ease. */
  readonly qr: { readonly size: number; readonly path: string } | undefined
}
