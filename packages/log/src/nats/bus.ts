/**
 * The bus over subjects of NATS, without JetStream: nothing is stored, and what is published while nobody hears is gone. A
 * connection of its own, so that records of the log do not hold it up.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { NatsConnection } from '@nats-io/transport-node'
import { type BusNetwork, createNetworkBus, type NetworkBus, type Topic } from '@sonde/base'
import { BUS, connectServers, type NatsConnected } from './connect.ts'
import { NATS_DEFAULTS, type NatsLogOptions, shownAddress } from './options.ts'
import { streamNames } from './streams.ts'

export type NatsBusOptions = Pick<NatsLogOptions, 'url' | 'logger' | 'prefix'>

const TRY_AGAIN_MS = 1_000
const FLUSH_MS = 500

/** At once: it connects by itself, and again and again, so that a process starts also while NATS is away. */
export function openNatsBus(options: NatsBusOptions): NetworkBus {
  const { url, logger, prefix = NATS_DEFAULTS.prefix } = options
  const { bus: subjectOf } = streamNames(prefix)
  return createNetworkBus(logger, ({ heard, connected }): BusNetwork => {
    const topics = new Set<Topic>()
    const closing = new AbortController()
    let there: NatsConnected | undefined

    const subscribe = (connection: NatsConnection, topic: Topic): void => {
      connection.subscribe(subjectOf(topic), {
        callback(error, message) {
          if (error === null) heard(topic, message.string())
        },
      })
    }
    const connect = async (): Promise<void> => {
      for (let isFirst = true; !closing.signal.aborted; isFirst = false) {
        try {
          const now = await connectServers(options, BUS, connected)
          if (closing.signal.aborted) return await now.connection.close()
          there = now
          for (const topic of topics) subscribe(now.connection, topic)
          return connected()
        } catch (error) {
          if (isFirst)
            logger.warn(
              { err: error, nats: shownAddress(url) },
              'the bus does not reach NATS: other processes hear nothing of this one; trying again',
            )
          await sleep(TRY_AGAIN_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
        }
      }
    }
    const connecting = connect()
    const isConnected = (): boolean => there?.isConnected() === true

    return {
      isConnected,
      send(topic, text) {
        try {
          there?.connection.publish(subjectOf(topic), text)
        } catch (error) {
          // Larger than this server's messages may be, or the connection ends just now.
          logger.warn({ err: error, topic }, 'NATS did not take a message of the bus')
        }
      },
      listen(topic) {
        topics.add(topic)
        if (there && !there.connection.isClosed()) subscribe(there.connection, topic)
      },
      async close() {
        closing.abort()
        await connecting
        const open = there
        there = undefined
        // What was published last.
        const flushed = open?.connection.flush().catch(() => undefined)
        await Promise.race([flushed, sleep(FLUSH_MS, undefined, { ref: false })])
        await open?.connection.close()
      },
    }
  })
}
