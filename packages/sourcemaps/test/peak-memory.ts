/** Run alone: reads one hostile map and tells how much memory that took at most. `node peak-memory.ts FAMILY BYTES`. */
import { checkSourceMap, MapError, readSourceMap } from '../src/index.ts'

type Family = { readonly before: string; readonly again: string; readonly after: string }
/** In the text of one field. */
const within = (field: string, first: string, again: string): Family => ({
  before: `{"version":3,"sources":["a.ts"],"names":["n"],${field === 'mappings' ? '' : '"mappings":"",'}"${field}":"${first}`,
  again,
  after: '"}',
})
const MAP = '{"version":3,"sources":["a.ts"],"mappings":"AAAA"}'

/** Each is a beginning, what is repeated until it has its size, and an end. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  'segments in one line': within('mappings', 'AAAA', ',AAAA'),
  'segments whose columns go back and forth': within('mappings', 'EAAA', ',DAAA,CAAA'),
  'lines of one segment': within('mappings', '', 'AAAA;'),
  names: { before: '{"version":3,"sources":[],"mappings":"","names":[', again: '"abcdefgh",', after: '""]}' },
  'empty lists': { before: '{"version":3,"x":[', again: '[],', after: '0],"sources":[],"mappings":""}' },
  'lists in lists': { before: '{"version":3,"x":', again: '[', after: '' },
  'fields without a name': { before: '{"version":3', again: ',"":0', after: ',"sources":[],"mappings":""}' },
  sections: {
    before: '{"version":3,"sections":[',
    again: `{"offset":{"line":0,"column":0},"map":${MAP}},`,
    after: '0]}',
  },
  'scopes beside each other': within('scopes', '', 'BAAA,CAA,'),
  'scopes within each other': within('scopes', '', 'BAAA,'),
  'scopes of no source': within('scopes', '', ','),
  'the text of one source': {
    before: '{"version":3,"sources":["a.ts"],"mappings":"","sourcesContent":["',
    again: 'x',
    after: '"]}',
  },
  'backslashes in a text': within('file', '', '\\\\'),
}

export function hostileMap({ before, again, after }: Family, size: number): Uint8Array {
  const times = Math.floor((size - before.length - after.length) / again.length)
  // Written as bytes: a text of that size would count as memory of reading.
  const body = Buffer.alloc(times * again.length, again)
  const whole = new Uint8Array(before.length + body.length + after.length)
  whole.set(Buffer.from(before), 0)
  whole.set(body, before.length)
  whole.set(Buffer.from(after), before.length + body.length)
  return whole
}

const [, script, family, size] = process.argv
if (script === import.meta.filename && family !== undefined) {
  const bytes = hostileMap(FAMILIES[family]!, Number(size))
  const before = process.memoryUsage.rss()
  let said = 'read'
  let segments = 0
  try {
    const map = readSourceMap(bytes)
    for (const at of [0, 1, 16, 2 ** 31, -1]) map.lookUp(0, at)
    segments = checkSourceMap(bytes).segmentCount
  } catch (error) {
    if (!(error instanceof MapError)) throw error
    said = error.problem
  }
  const peak = process.resourceUsage().maxRSS * 1024
  process.stdout.write(JSON.stringify({ said, segments, tookBytes: Math.max(0, peak - before) }))
}
