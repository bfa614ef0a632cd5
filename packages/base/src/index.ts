export { type Bus, createLocalBus, type Listener, type TakenWindow, type Topic, type Topics } from './bus.ts'
export { MAX_BUS_BYTES, MAX_BUS_PEOPLE, MAX_TAKEN_WINDOWS, readBusMessage } from './bus-message.ts'
export { type BusEars, type BusNetwork, createNetworkBus, type NetworkBus } from './network-bus.ts'
export { type BoundedMap, createBoundedMap } from './bounded-map.ts'
export { type Clock, fixedClock, steadyMs, systemClock } from './clock.ts'
export {
  createMutex,
  createPool,
  createSemaphore,
  forEachAtOnce,
  type Mutex,
  type Pool,
  type Semaphore,
} from './concurrency.ts'
export { freeMemory } from './free-memory.ts'
export {
  ConfigError,
  type ErrorDetails,
  type ErrorKind,
  errorKind,
  SondeError,
  UnavailableError,
} from './errors.ts'
export { createStopStack, type Stop, type StopStack } from './stop-stack.ts'
export {
  createLogger,
  createProcessLog,
  LOG_FORMATS,
  LOG_LEVELS,
  type LogFormat,
  type Logger,
  type LogLevel,
  type ProcessLog,
  silentLogger,
} from './logger.ts'
export { type LoggedProblem } from './problem-list.ts'
export { currentScope, inScope, type Scope, type SpanContext } from './scope.ts'
export { createMetrics, type MetricFamily, type Metrics, type MetricValue } from './metrics.ts'
export {
  inSpan,
  noTracer,
  type OpenSpan,
  type SpanKind,
  type SpanStart,
  type SpanValue,
  type Tracer,
} from './tracer.ts'
