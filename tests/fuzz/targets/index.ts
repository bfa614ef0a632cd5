/** Every target by name; a new one is added here. Each is loaded alone: what is not loaded is not counted. */
import type { Target } from '../engine/target.ts'

const TARGETS: Readonly<Record<string, () => Promise<Target>>> = {
  envelope: async () => (await import('./envelope.ts')).envelope,
  process: async () => (await import('./process.ts')).processing,
  'otlp-json': async () => (await import('./otlp.ts')).otlpJson,
  'otlp-protobuf': async () => (await import('./otlp.ts')).otlpProtobuf,
  'otlp-logs': async () => (await import('./otlp.ts')).otlpLogs,
  'otlp-metrics-json': async () => (await import('./otlp-metrics.ts')).otlpMetricsJson,
  'otlp-metrics-protobuf': async () => (await import('./otlp-metrics.ts')).otlpMetricsProtobuf,
  'otlp-grpc': async () => (await import('./otlp-grpc.ts')).otlpGrpc,
  'stack-text': async () => (await import('./stack-text.ts')).stackText,
  'source-map': async () => (await import('./source-map.ts')).sourceMap,
  script: async () => (await import('./source-map.ts')).script,
  bundle: async () => (await import('./bundle.ts')).bundle,
  headers: async () => (await import('./headers.ts')).headers,
  search: async () => (await import('./search.ts')).search,
  'monitor-config': async () => (await import('./monitor-config.ts')).monitorConfig,
  msgpack: async () => (await import('./msgpack.ts')).msgpack,
  scim: async () => (await import('./scim.ts')).scim,
  comment: async () => (await import('./comment.ts')).comment,
  form: async () => (await import('./form.ts')).form,
  live: async () => (await import('./live.ts')).live,
  recording: async () => (await import('./replay.ts')).recording,
  'replay-video': async () => (await import('./replay-video.ts')).replayVideo,
  profile: async () => (await import('./profile.ts')).profile,
  elf: async () => (await import('./symbols.ts')).elf,
  macho: async () => (await import('./symbols.ts')).macho,
  breakpad: async () => (await import('./symbols.ts')).breakpad,
  mapping: async () => (await import('./symbols.ts')).mapping,
  demangle: async () => (await import('./demangle.ts')).demangled,
  unreal: async () => (await import('./unreal.ts')).unreal,
  minidump: async () => (await import('./minidump.ts')).minidump,
  endpoints: async () => (await import('./endpoints.ts')).endpoints,
}

export const TARGET_NAMES: readonly string[] = Object.keys(TARGETS)

/** Throws for a name that is none. */
export async function loadTarget(name: string): Promise<Target> {
  const load = Object.hasOwn(TARGETS, name) ? TARGETS[name] : undefined
  if (!load) throw new Error(`no target is called ${name}; there are ${TARGET_NAMES.join(', ')}`)
  return load()
}
