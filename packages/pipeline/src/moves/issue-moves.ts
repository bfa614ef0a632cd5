/** What people do to which issue events belong to: merge, give back, split. docs/internals/moved-events.md */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@sonde/base'
import {
  figuresOf,
  findHashGroups,
  type Fingerprint,
  fingerprintsOf,
  hashesOf,
  openMoves,
  type Records,
  type Telemetry,
} from '@sonde/stores'
import { deleteInTransaction, type Deleted, type DeleteInput } from './delete-by-people.ts'
import {
  type DeletedEvents,
  deleteEventsIn,
  type DeleteEventsInput,
  planDeletion,
  planRestore,
  type RestoredEvents,
  restoreEventsIn,
  type RestoreEventsInput,
} from './deleted-events.ts'
import { type Merged, mergeInTransaction, type MergeInput, visibleIssues } from './merge-by-people.ts'
import { whileQuiet } from './quiet-project.ts'
import { type Restored, restoreInTransaction, type RestoreInput } from './restore-by-people.ts'
import { broughtBy, giveBack, splitOff, type TakenOut, type TakeOut } from './take-out.ts'

export type MovesNeeds = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'query'>
  readonly clock: Clock
}

export type TakeOutInput = {
  readonly projectId: number
  readonly issueId: number
  /** Fingerprints of the issue; those that some event has with one of them go with them. Empty: all that `backTo` brought. */
  readonly hashes: readonly string[]
  /** An issue that was merged into it, and is given back. Undefined: a new one. */
  readonly backTo: number | undefined
}

/**
 * `gone`: there is no such issue, or it is part of another. `nothing_left`: an issue keeps at least one fingerprint.
 * `no_events`: a new issue needs an event. `moving`: events of the project are on their way to another issue.
 */
export type MoveRefusal = 'gone' | 'nothing_left' | 'no_events' | 'moving'
export type MoveEnd<Done> = Done | { readonly refused: MoveRefusal }

/** Each throws `UnavailableError` when the project does not come to rest. `note` runs in the transaction of the change. */
export type IssueMoves = {
  merge(
    input: MergeInput,
    note: (tx: Records, done: Merged, atMs: number) => Promise<void>,
  ): Promise<MoveEnd<Merged>>
  takeOut(
    input: TakeOutInput,
    note: (tx: Records, done: TakenOut, atMs: number) => Promise<void>,
  ): Promise<MoveEnd<TakenOut>>
  delete(
    input: DeleteInput,
    note: (tx: Records, done: Deleted, atMs: number) => Promise<void>,
  ): Promise<MoveEnd<Deleted>>
  /** What came like them since is merged into them afterwards, or they into that, whichever is the older one. */
  restore(
    input: RestoreInput,
    note: (tx: Records, done: Restored, atMs: number) => Promise<void>,
  ): Promise<MoveEnd<Restored>>
  /** Chosen events. Their rows follow: `startMoves`. */
  deleteEvents(
    input: DeleteEventsInput,
    note: (tx: Records, done: DeletedEvents, atMs: number) => Promise<void>,
  ): Promise<MoveEnd<DeletedEvents>>
  restoreEvents(
    input: RestoreEventsInput,
    note: (tx: Records, done: RestoredEvents, atMs: number) => Promise<void>,
  ): Promise<MoveEnd<RestoredEvents>>
}

const WAIT_FOR_MOVES_MS = 5_000
const LOOK_AGAIN_MS = 100

export function createIssueMoves(needs: MovesNeeds): IssueMoves {
  const { records, clock } = needs
  const moves: IssueMoves = {
    merge: (input, note) =>
      whileQuiet(
        records,
        input.projectId,
        async () => {
          const { groups, leadOf, isSettled } = await findHashGroups(needs, input.projectId, [
            input.intoId,
            ...input.issueIds,
          ])
          const stored = new Map<number, number>()
          for (const group of groups)
            stored.set(leadOf(group), (stored.get(leadOf(group)) ?? 0) + group.events)
          return { groups, stored, isSettled }
        },
        async (tx, found) => {
          const { projectId, intoId, issueIds } = input
          const atMs = clock.nowMs()
          const issues = await visibleIssues(tx, projectId, [...new Set([intoId, ...issueIds])])
          const done = await mergeInTransaction(tx, input, issues, found, atMs)
          if (!done) return { refused: 'gone' }
          await note(tx, done, atMs)
          return done
        },
      ),
    takeOut: (input, note) =>
      whileQuiet(
        records,
        input.projectId,
        () => planTakeOut(needs, input),
        async (tx, plan) => {
          if ('refused' in plan) return plan
          const atMs = clock.nowMs()
          const [from] = await visibleIssues(tx, input.projectId, [input.issueId])
          if (!from) return { refused: 'gone' }
          const done =
            input.backTo === undefined
              ? await splitOff(tx, from, plan, atMs)
              : await giveBack(tx, from, input.backTo, plan, atMs)
          if (!done) return { refused: input.backTo === undefined ? 'no_events' : 'gone' }
          await note(tx, done, atMs)
          return done
        },
      ),
    delete: (input, note) =>
      onceSettled(() =>
        whileQuiet(
          records,
          input.projectId,
          async () => undefined,
          async (tx) => {
            if ((await openMoves(tx, input.projectId)).length > 0) return { refused: 'moving' }
            const atMs = clock.nowMs()
            const done = await deleteInTransaction(tx, input, atMs)
            if (!done) return { refused: 'gone' }
            await note(tx, done, atMs)
            return done
          },
        ),
      ),
    deleteEvents: (input, note) =>
      onceSettled(() =>
        whileQuiet(
          records,
          input.projectId,
          () => planDeletion(needs, input),
          async (tx, plan) => {
            const atMs = clock.nowMs()
            const done = await deleteEventsIn(tx, input, plan, atMs)
            if (typeof done === 'string') return { refused: done }
            await note(tx, done, atMs)
            return done
          },
        ),
      ),
    restoreEvents: (input, note) =>
      onceSettled(() =>
        whileQuiet(
          records,
          input.projectId,
          () => planRestore(needs, input),
          async (tx, plan) => {
            const atMs = clock.nowMs()
            const done = await restoreEventsIn(tx, input, plan, atMs)
            if (typeof done === 'string') return { refused: done }
            await note(tx, done, atMs)
            return done
          },
        ),
      ),
    async restore(input, note) {
      const { projectId, actor } = input
      const end = await whileQuiet<undefined, MoveEnd<Restored>>(
        records,
        projectId,
        async () => undefined,
        async (tx) => {
          const atMs = clock.nowMs()
          const done = await restoreInTransaction(tx, input, atMs)
          if (!done) return { refused: 'gone' }
          await note(tx, done, atMs)
          return done
        },
      )
      if ('refused' in end) return end
      // Whoever is stopped in between has two issues of the same, and merges them.
      for (const { intoId, issueIds } of end.alike)
        await moves.merge({ projectId, intoId, issueIds, actor }, async () => undefined)
      return end
    },
  }
  return moves
}

/** Most moves are over in a moment; who deletes does not have to know of them. */
async function onceSettled<Done extends object>(
  attempt: () => Promise<MoveEnd<Done>>,
): Promise<MoveEnd<Done>> {
  const untilMs = performance.now() + WAIT_FOR_MOVES_MS
  for (;;) {
    const end = await attempt()
    const isOver = !('refused' in end) || end.refused !== 'moving' || performance.now() > untilMs
    if (isOver) return end
    await sleep(LOOK_AGAIN_MS)
  }
}

async function planTakeOut(
  needs: MovesNeeds,
  { projectId, issueId, hashes, backTo }: TakeOutInput,
): Promise<TakeOut | { readonly refused: MoveRefusal }> {
  const { records, telemetry } = needs
  const { fingerprints, places, isSettled } = await lookAtFingerprints(needs, projectId, issueId)
  const brought = backTo === undefined ? [] : await broughtBy(records, issueId, backTo)
  if (backTo !== undefined && brought.length === 0) return { refused: 'gone' }
  const wanted = new Set(hashes.length > 0 ? hashes : brought)
  const [taken, left] = [true, false].map((isTaken) =>
    fingerprints.filter((each) => each.hashes.some((hash) => wanted.has(hash)) === isTaken),
  ) as [Fingerprint[], Fingerprint[]]
  if (taken.length === 0) return { refused: 'gone' }
  if (left.length === 0) return { refused: 'nothing_left' }
  const goneGroups = taken.flatMap(({ groups }) => groups)
  const rows = new Map(isSettled ? [] : places.map((id) => [id, 0]))
  for (const group of goneGroups) rows.set(group.issueId, (rows.get(group.issueId) ?? 0) + group.rows)
  return {
    projectId,
    hashes: taken.flatMap((each) => each.hashes),
    gone: await figuresOf(telemetry, projectId, goneGroups),
    left: await figuresOf(
      telemetry,
      projectId,
      left.flatMap(({ groups }) => groups),
    ),
    rows,
    isSettled,
  }
}

async function lookAtFingerprints(needs: MovesNeeds, projectId: number, issueId: number) {
  const { groups, leadOf, ...found } = await findHashGroups(needs, projectId, [issueId])
  const own = groups.filter((group) => leadOf(group) === issueId)
  const hashes = new Set(await hashesOf(needs.records, issueId))
  return { ...found, fingerprints: fingerprintsOf(own, hashes) }
}
