/** What is wrong with an upload itself: the same bytes will always be refused. `message` is for who uploaded it. */
export class BundleError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BundleError'
  }
}
