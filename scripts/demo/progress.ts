/** One line that counts up on a terminal; in a log, a line now and then. */
export type Progress = {
  say(text: string): void
  count(what: string, done: number, all: number): void
}

const EVERY_MS = 5_000

export function createProgress(out: NodeJS.WriteStream = process.stdout): Progress {
  let open = false
  let lastMs = 0
  return {
    say(text) {
      if (open) out.write('\n')
      open = false
      out.write(`${text}\n`)
    },
    count(what, done, all) {
      if (out.isTTY) {
        const filled = Math.round((done / all) * 30)
        out.write(`\r${'█'.repeat(filled)}${'░'.repeat(30 - filled)}  ${done} of ${all} ${what}   `)
        open = true
      } else if (done === all || Date.now() - lastMs >= EVERY_MS) {
        lastMs = Date.now()
        out.write(`${done} of ${all} ${what}\n`)
      }
    },
  }
}
