/**
 * That one's inbox changed, in this tab. A stream that is open for something else brings it along; the bell has one of its own only
 * while there is none, because a browser opens six connections to a host.
 */
type Ear = {
  /** The inbox changed. */
  readonly heard: () => void
  /** Another stream brings it from now on, or none. */
  readonly rearranged: () => void
}

const carriers = new Set<EventSource>()
const ears = new Set<Ear>()

const heard = (): void => {
  for (const ear of ears) ear.heard()
}
const rearranged = (): void => {
  for (const ear of ears) ear.rearranged()
}

/** Its `inbox` events are heard until the returned function is called. Idempotent. */
export function carryInbox(stream: EventSource): () => void {
  stream.addEventListener('inbox', heard)
  carriers.add(stream)
  rearranged()
  return () => {
    stream.removeEventListener('inbox', heard)
    if (carriers.delete(stream)) rearranged()
  }
}

export function hearInbox(ear: Ear): () => void {
  ears.add(ear)
  return () => ears.delete(ear)
}

/** Whether a stream other than this one brings it. */
export const isCarriedBeside = (own: EventSource | undefined): boolean =>
  [...carriers].some((carrier) => carrier !== own)

/** Whether what changes is heard now. */
export const isHeard = (): boolean => [...carriers].some(({ readyState }) => readyState === EventSource.OPEN)
