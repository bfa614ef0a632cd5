/**
 * The bus over a network, whichever it is. Subscribers of the own process are told directly, so they miss nothing while the
 * network is away; texts go to the other processes while it is there.
 */
import { MAX_BUS_BYTES, readBusMessage } from './bus-message.ts'
import { type Bus, createLocalBus, type Topic, type Topics } from './bus.ts'
import type { Logger } from './logger.ts'

/** How texts reach the other processes. */
export type BusNetwork = {
  isConnected(): boolean
  /** Called while it is connected, never with more than `MAX_BUS_BYTES`. Does not throw, does not wait. */
  send(topic: Topic, text: string): void
  /** From now on `heard` is called for the topic, again after each reconnect. Called once for a topic. */
  listen(topic: Topic): void
  close(): Promise<void>
}

/** What the network tells the bus. */
export type BusEars = {
  /** A text of another process; whatever it is, this does not throw. */
  heard(topic: Topic, text: string): void
  connected(): void
}

export type NetworkBus = Bus & {
  /** Publishes to the own process alone from then on. Idempotent. */
  close(): Promise<void>
}

export function createNetworkBus(logger: Logger, open: (ears: BusEars) => BusNetwork): NetworkBus {
  const local = createLocalBus(logger)
  const connectListeners = new Set<() => void>()
  const topics = new Set<Topic>()
  let wasRefused = false

  const network = open({
    heard(topic, text) {
      const message = readBusMessage(topic, text)
      if (message) local.publish(topic, message)
      else if (!wasRefused) {
        // Once: whoever sends such a text sends many.
        wasRefused = true
        logger.warn({ topic, bytes: text.length }, 'what came over the bus is no message of Sonde; left out')
      }
    },
    connected() {
      for (const listener of connectListeners)
        try {
          listener()
        } catch (error) {
          logger.error({ err: error }, 'a listener failed')
        }
    },
  })

  const sendToOthers = <T extends Topic>(topic: T, message: Topics[T]): void => {
    if (!network.isConnected()) return
    const text = JSON.stringify(message)
    if (Buffer.byteLength(text) <= MAX_BUS_BYTES) network.send(topic, text)
    else logger.warn({ topic, bytes: text.length }, 'too long for the bus: other processes are not told')
  }

  return {
    publish(topic, message) {
      local.publish(topic, message)
      sendToOthers(topic, message)
    },
    subscribe(topic, listener) {
      if (!topics.has(topic)) network.listen(topic)
      topics.add(topic)
      return local.subscribe(topic, listener)
    },
    isConnected: network.isConnected,
    onConnect(listener) {
      const own = (): void => listener()
      connectListeners.add(own)
      return () => void connectListeners.delete(own)
    },
    close: network.close,
  }
}
