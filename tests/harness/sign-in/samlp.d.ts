/** As far as it is used here: https://github.com/auth0/node-samlp */
declare module 'samlp' {
  export type SamlOptions = {
    readonly issuer: string
    readonly cert: string
    readonly key: string
    readonly audience?: string
    readonly recipient?: string
    readonly destination?: string
    readonly inResponseTo?: string
    readonly lifetimeInSeconds?: number
    readonly signAssertion?: boolean
    readonly signResponse?: boolean
    readonly signatureAlgorithm?: string
    readonly digestAlgorithm?: string
    readonly profileMapper: (user: unknown) => {
      getClaims(): Readonly<Record<string, unknown>>
      getNameIdentifier(): { readonly nameIdentifier: string; readonly nameIdentifierFormat?: string }
    }
  }
  export type ReadRequest = { readonly id?: string; readonly issuer?: string }
  type Done<T> = (error: Error | null, value: T) => void
  const samlp: {
    parseRequest(req: object, done: Done<ReadRequest>): void
    getSamlResponse(options: SamlOptions, user: unknown, done: Done<string>): void
  }
  export default samlp
}
