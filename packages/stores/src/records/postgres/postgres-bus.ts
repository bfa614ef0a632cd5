/**
 * The bus over LISTEN and NOTIFY of PostgreSQL: for several nodes that share the records and have no NATS. A payload has fewer
 * than 8,000 bytes, so a longer message goes in parts; those of one statement reach every listener together.
 */
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type BusEars,
  type BusNetwork,
  createNetworkBus,
  type Logger,
  MAX_BUS_BYTES,
  type NetworkBus,
  type Topic,
} from '@sonde/base'
import pg from 'pg'
import { connectionOf } from './pool.ts'
import { postgresError } from './postgres-errors.ts'

// Of ASCII, with room for the head below 8,000 bytes.
const PART_CHARS = 7_500
// Text of other languages is longer escaped.
const MAX_PARTS = Math.ceil((MAX_BUS_BYTES * 6) / PART_CHARS)
/** What waits for the answer to the statement before; a server that takes nothing must not fill the memory. */
const MAX_WAITING_CHARS = 4 * MAX_BUS_BYTES
const ANSWER_MS = 5_000
/** A connection that died without a word is noticed by then. */
const BEAT_MS = 10_000
const TRY_AGAIN_MS = 1_000
const CLOSE_MS = 500

const SEND = `SELECT pg_notify($1, part) FROM unnest($2::text[]) AS part`

/** At once: it connects by itself, and again and again. Throws nothing. */
export function openPostgresBus(url: string, logger: Logger): NetworkBus {
  return createNetworkBus(logger, (ears): BusNetwork => {
    const node = randomUUID().slice(0, 8)
    const topics = new Set<Topic>()
    const closing = new AbortController()
    let there: { readonly client: pg.Client; readonly channel: string } | undefined
    let serial = 0
    let waiting: string[] = []
    let waitingChars = 0
    let isSending = false
    let endConnection = (): void => undefined

    /** One statement at a time, with all that was published meanwhile: committing a NOTIFY locks out others that do. */
    const sendAll = async (): Promise<void> => {
      isSending = true
      for (let now = there; now && waiting.length > 0; now = there) {
        const parts = waiting
        waiting = []
        waitingChars = 0
        await now.client.query(SEND, [now.channel, parts]).catch((error: unknown) => {
          logger.debug({ err: postgresError(error, url, 'tell other processes') }, 'others were not told')
        })
      }
      isSending = false
    }
    const listen = async (client: pg.Client): Promise<void> => {
      const { promise: ended, resolve: end } = Promise.withResolvers<'ended'>()
      endConnection = () => end('ended')
      client.on('error', endConnection)
      client.on('end', endConnection)
      const gather = createGatherer(node, topics, ears)
      client.on('notification', ({ payload = '' }) => gather(payload))
      await client.connect()
      const { rows } = await client.query<{ schema: string }>('SELECT current_schema() AS schema')
      const channel = channelOf(rows[0]?.schema ?? '')
      await client.query(`LISTEN ${channel}`)
      there = { client, channel }
      ears.connected()
      while ((await Promise.race([ended, sleep(BEAT_MS, 'beat', { ref: false })])) === 'beat')
        await client.query('SELECT 1')
    }
    const run = async (): Promise<unknown> => {
      let isFailing = false
      while (!closing.signal.aborted) {
        const client = new pg.Client({ ...connectionOf(url), query_timeout: ANSWER_MS })
        const failure = await listen(client).then(
          () => new Error('the connection was closed'),
          (error: unknown) => error,
        )
        if (there) isFailing = false
        there = undefined
        waiting = []
        waitingChars = 0
        const ending = client.end().catch(() => undefined)
        if (closing.signal.aborted) return ending
        if (!isFailing)
          logger.warn(
            { err: postgresError(failure, url, 'listen to other processes') },
            'other processes are not heard for now; trying again',
          )
        isFailing = true
        await sleep(TRY_AGAIN_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
      }
      return undefined
    }
    const running = run()

    return {
      isConnected: () => there !== undefined,
      send(topic, text) {
        if (waitingChars + text.length > MAX_WAITING_CHARS) return
        waitingChars += text.length
        waiting.push(...partsOf(`${node} ${++serial}`, topic, text))
        if (!isSending) void sendAll()
      },
      listen: (topic) => void topics.add(topic),
      async close() {
        closing.abort()
        endConnection()
        // A server that does not answer must not hold up a stop.
        await Promise.race([running, sleep(CLOSE_MS, undefined, { ref: false })])
      },
    }
  })
}

/** Of the schema that holds the records: a database may have several. Not longer than a name may be. */
const channelOf = (schema: string): string =>
  `sonde_bus_${createHash('sha256').update(schema).digest('hex').slice(0, 16)}`

/** Each: node, number of the message, number of the part, how many there are, topic; and the text after a line end. */
function partsOf(message: string, topic: Topic, text: string): readonly string[] {
  const ascii = text.replaceAll(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const count = Math.max(1, Math.ceil(ascii.length / PART_CHARS))
  return Array.from(
    { length: count },
    (_, at) => `${message} ${at} ${count} ${topic}\n${ascii.slice(at * PART_CHARS, (at + 1) * PART_CHARS)}`,
  )
}

const HEAD = /^([0-9a-f]{8}) (\d{1,15}) (\d{1,4}) (\d{1,4}) ([a-z.]{1,40})\n/

/** Puts messages together. Parts of one come without others between them, so one is held at a time. */
function createGatherer(
  own: string,
  topics: ReadonlySet<Topic>,
  { heard }: BusEars,
): (payload: string) => void {
  let message = ''
  let parts: string[] = []
  return (payload) => {
    const [head = '', node, serial, at, count, topic] = HEAD.exec(payload) ?? []
    if (node === undefined || node === own || !topics.has(topic as Topic)) return
    if (Number(count) > MAX_PARTS || Number(at) >= Number(count)) return
    const name = `${node} ${serial}`
    if (message !== name || Number(at) === 0) parts = []
    message = name
    // What began before this process listened is not whole.
    if (parts.length !== Number(at)) return
    parts.push(payload.slice(head.length))
    if (parts.length === Number(count)) heard(topic as Topic, parts.splice(0).join(''))
  }
}
