/** Processor time of each thread of a process, from Linux' `/proc`: nanoseconds, where `stat` counts in hundredths. */
import { readdirSync, readFileSync } from 'node:fs'

export type ThreadTimes = ReadonlyMap<string, { readonly name: string; readonly ms: number }>

export function threadTimes(pid: number): ThreadTimes {
  const folder = `/proc/${pid}/task`
  return new Map(
    readdirSync(folder).flatMap((id) => {
      try {
        const name = readFileSync(`${folder}/${id}/comm`, 'utf8').trim()
        const ns = Number(readFileSync(`${folder}/${id}/schedstat`, 'utf8').split(' ')[0])
        return [[id, { name, ms: ns / 1e6 }] as const]
      } catch {
        // It ended between the two looks.
        return []
      }
    }),
  )
}

/** By the threads' name, the dearest first. A thread that began meanwhile counts from nothing. */
export function spentByName(before: ThreadTimes, after: ThreadTimes): readonly (readonly [string, number])[] {
  const spent = new Map<string, number>()
  for (const [id, { name, ms }] of after)
    spent.set(name, (spent.get(name) ?? 0) + ms - (before.get(id)?.ms ?? 0))
  return [...spent].toSorted(([, a], [, b]) => b - a)
}
