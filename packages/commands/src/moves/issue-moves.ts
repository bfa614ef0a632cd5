/** What commands need of the pipeline: it knows which events have which fingerprint. `createIssueMoves` has it. */
import { SondeError } from '@sonde/base'
import type { Records } from '@sonde/stores'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput } from '../fields.ts'

export type MovedIssue = { readonly id: number; readonly shortNumber: number; readonly title: string }
export type Merged = { readonly into: MovedIssue; readonly merged: readonly MovedIssue[] }
export type TakenOut = {
  readonly from: MovedIssue
  readonly to: MovedIssue
  readonly hashes: number
  readonly events: number
}
export type Deleted = {
  readonly issues: readonly MovedIssue[]
  readonly events: number
  readonly deletedId: number | undefined
}
export type Restored = {
  readonly issues: readonly MovedIssue[]
  readonly alike: readonly { readonly intoId: number; readonly issueIds: readonly number[] }[]
}

export type DeletedEvents = {
  readonly deletionId: number
  readonly issues: readonly number[]
  readonly events: number
}
export type RestoredEvents = { readonly issues: readonly number[]; readonly events: number }

export type Refused = { readonly refused: 'gone' | 'nothing_left' | 'no_events' | 'moving' }
type Note<Done> = (tx: Records, done: Done, atMs: number) => Promise<void>

/** Each waits until nothing of the project is in flight, and throws `UnavailableError` when that does not come. */
export type IssueMoves = {
  merge(
    input: {
      readonly projectId: number
      readonly intoId: number
      readonly issueIds: readonly number[]
      readonly actor: string
    },
    note: Note<Merged>,
  ): Promise<Merged | Refused>
  takeOut(
    input: {
      readonly projectId: number
      readonly issueId: number
      readonly hashes: readonly string[]
      readonly backTo: number | undefined
    },
    note: Note<TakenOut>,
  ): Promise<TakenOut | Refused>
  delete(
    input: {
      readonly projectId: number
      readonly issueIds: readonly number[]
      readonly discard: boolean
      readonly actor: string
    },
    note: Note<Deleted>,
  ): Promise<Deleted | Refused>
  restore(
    input: { readonly projectId: number; readonly deletedId: number; readonly actor: string },
    note: Note<Restored>,
  ): Promise<Restored | Refused>
  deleteEvents(
    input: {
      readonly projectId: number
      readonly eventIds: readonly string[]
      readonly actor: string
    },
    note: Note<DeletedEvents>,
  ): Promise<DeletedEvents | Refused>
  restoreEvents(
    input: { readonly projectId: number; readonly deletionId: number },
    note: Note<RestoredEvents>,
  ): Promise<RestoredEvents | Refused>
}

export function movesOf({ issueMoves }: CommandDeps, operation: string): IssueMoves {
  if (issueMoves) return issueMoves
  throw new SondeError('internal', 'this process has no stores of events', {
    operation,
    hint: 'ask a server that answers screens or the API',
  })
}

/** Throws what to say of a refusal. */
export function doneOr<Done extends object>(operation: string, end: Done | Refused): Done {
  if (!('refused' in end)) return end
  if (end.refused === 'gone')
    throw new SondeError('not-found', 'the issue is gone, or part of another', { operation })
  if (end.refused === 'moving')
    throw new SondeError('conflict', 'events of the project are still moving to another issue', {
      operation,
      hint: 'try it again once they are there: the page of the other issue shows how far they are',
    })
  throw new InvalidInput(operation, {
    hashes: [
      end.refused === 'nothing_left'
        ? 'an issue keeps at least one fingerprint'
        : 'no stored event has one of these fingerprints',
    ],
  })
}
