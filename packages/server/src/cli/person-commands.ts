/** `sonde person …`: what is stored of a person in the data of applications. A running Sonde answers. */
import { createWriteStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CommandInput, note, print, printed, table, UsageError } from '@sonde/cli'
import type { RequestedErasure } from '@sonde/commands'
import type { ErasureRow, FoundPerson } from '@sonde/queries'
import type { PersonQuestion } from '../back/person-routes.ts'
import { readConfig } from '../config/config.ts'
import { askBack, streamFromBack } from '../internal/ask-back.ts'

/** Reading every table of a large project takes a while. */
const FIND_WITHIN_MS = 10 * 60_000
const LOOK_EVERY_MS = 1_000

function questionOf({ text }: CommandInput): PersonQuestion {
  const [org = '', project = ''] = (text('project') ?? text('org') ?? '').split('/')
  if (org === '' || (text('project') !== undefined && project === ''))
    throw new UsageError('--project ORG/PROJECT or --org ORG says where to look')
  const person = { id: text('id'), email: text('email'), ip: text('ip') }
  if (Object.values(person).every((value) => value === undefined))
    throw new UsageError('--id, --email or --ip says who it is; several are of the same person')
  return { org, project, ...person }
}

async function ask<Answer>(path: string, question: PersonQuestion): Promise<Answer> {
  const answer = await askBack(readConfig().paths.internalSocket, 'POST', path, {
    body: JSON.stringify(question),
    timeoutMs: FIND_WITHIN_MS,
  })
  if (answer === undefined) throw new UsageError('no Sonde runs on this data folder: start it first')
  return JSON.parse(answer) as Answer
}

/** `sonde person find`: how much there is of each kind. */
export async function find(input: CommandInput): Promise<number> {
  const found = await ask<FoundPerson>('/-/person/find', questionOf(input))
  if (input.flag('json')) print(JSON.stringify(found))
  else if (found.total === 0) print('Nothing is stored of this person.')
  else {
    print(
      table([
        ['kind', 'as user', 'in texts'],
        ...found.kinds.map(({ kind, asUser, inTexts }) => [kind, String(asUser), String(inTexts)]),
      ]),
    )
    if (found.alsoKnownAs.length > 0) print(`In the same events: ${found.alsoKnownAs.join(', ')}`)
  }
  return 0
}

/** `sonde person export`: all of it as lines of JSON, into a file or to standard output. */
export async function exportAll(input: CommandInput): Promise<number> {
  const question = questionOf(input)
  const file = input.text('file')
  const out = file === undefined ? printed() : createWriteStream(file, { mode: 0o600, flags: 'wx' })
  const isAnswered = await streamFromBack(
    readConfig().paths.internalSocket,
    '/-/person/export',
    JSON.stringify(question),
    out,
  )
  if (!isAnswered) throw new UsageError('no Sonde runs on this data folder: start it first')
  if (file !== undefined) note(`written to ${file}`)
  return 0
}

/** `sonde person erase`: asks for it, and waits for its end unless told otherwise. */
export async function erase(input: CommandInput): Promise<number> {
  const question = questionOf(input)
  const { id } = await ask<RequestedErasure>('/-/person/erase', question)
  if (input.flag('no-wait')) {
    print(input.flag('json') ? JSON.stringify({ id }) : `erasure ${id} goes on in the background`)
    return 0
  }
  for (;;) {
    const row = await ask<ErasureRow | null>('/-/person/erasure', { ...question, erasure: id })
    if (!row || row.state === 'done') {
      if (input.flag('json')) print(JSON.stringify(row))
      else
        print(
          `Erased: ${row?.counts.map(({ kind, count }) => `${count} ${kind}`).join(', ') || 'nothing was stored'}`,
        )
      return 0
    }
    await sleep(LOOK_EVERY_MS)
  }
}
