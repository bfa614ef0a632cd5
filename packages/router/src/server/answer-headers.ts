/** Headers that loads and actions set, kept per request and put on whatever answer it becomes. */
export type AnswerHeaders = {
  readonly setHeader: (name: string, value: string) => void
  readonly appendHeader: (name: string, value: string) => void
  /** Lays them over the answer's own; `Vary` and `Set-Cookie` add up. */
  applyTo(headers: Headers): void
}

export function createAnswerHeaders(): AnswerHeaders {
  const collected = new Headers()
  return {
    setHeader: (name, value) => collected.set(name, value),
    appendHeader: (name, value) => collected.append(name, value),
    applyTo(headers) {
      for (const [name, value] of collected) {
        if (name === 'set-cookie' || name === 'vary') headers.append(name, value)
        else headers.set(name, value)
      }
    },
  }
}
