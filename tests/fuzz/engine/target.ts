/** What is fuzzed: where inputs come from, how they are changed, and what must hold for every one of them. */
import type { Random } from './random.ts'

export type Mutate = (input: Buffer, random: Random, other: Buffer) => Buffer

export type OpenTarget = {
  /**
   * Throws for what must never be. What the code under test refuses in its own words is caught in here and is no find.
   */
  readonly run: (input: Buffer) => void | Promise<void>
  /** After the last input: what only shows then, such as sums. Throws too. */
  readonly close?: () => Promise<void>
}

export type Target = {
  readonly name: string
  /** Small and real. Mutations begin with them. */
  readonly seeds: () => readonly Buffer[]
  /** Knows the form of the input; plain bytes are mutated beside it. */
  readonly mutate?: Mutate
  /** Words that mean something to the code under test. */
  readonly words?: readonly string[]
  readonly open: () => OpenTarget | Promise<OpenTarget>
  /** Longer inputs are cut. Default: 64 KiB. */
  readonly maxBytes?: number
  /** Processor time that one input may take. Default: 500 ms. */
  readonly maxCpuMs?: number
  /** It talks to a process: nothing can be learned from the coverage of this one. */
  readonly isRemote?: boolean
}

export const DEFAULT_MAX_BYTES = 64 * 1024
export const DEFAULT_MAX_CPU_MS = 500
