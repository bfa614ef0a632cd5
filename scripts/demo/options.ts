import { parseArgs } from 'node:util'

export type DemoOptions = {
  readonly visitors: number
  /** The most that the visits may take; those that did not begin by then are left out. */
  readonly minutes: number
  /** Goes on with the data of the last demo. */
  readonly keep: boolean
}

// 60 visits take about 100 s on two cores.
const DEFAULTS = { visitors: '60', minutes: '2' } as const

/** Ends the process for what is not understood. */
export function readOptions(args: readonly string[]): DemoOptions {
  try {
    return parse(args)
  } catch (error) {
    process.stderr.write(
      `${(error as Error).message}\nnpm run demo -- [--visitors N] [--minutes M] [--keep]\n`,
    )
    return process.exit(2)
  }
}

function parse(args: readonly string[]): DemoOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { visitors: { type: 'string' }, minutes: { type: 'string' }, keep: { type: 'boolean' } },
  })
  return {
    visitors: number('--visitors', values.visitors ?? DEFAULTS.visitors, 5_000),
    minutes: number('--minutes', values.minutes ?? DEFAULTS.minutes, 600),
    keep: values.keep ?? false,
  }
}

function number(option: string, text: string, max: number): number {
  const value = Number(text)
  if (value > 0 && value <= max) return value
  throw new Error(`${option} takes a number from 1 to ${max}, not "${text}"`)
}
