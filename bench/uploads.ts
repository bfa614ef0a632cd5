/** How long the upload of a large build takes: 10,000 scripts with their maps, packed before, from the first request until they can be used. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sondeJson } from '../tests/harness/start-sonde.ts'
import { uploadZip, zipBuild } from '../tests/harness/upload-build.ts'
import { startMeasuredSonde } from './measured-sonde.ts'
import { atMost, type Figure, median } from './report/figure.ts'

const FOLDERS = 100
const SCRIPTS_A_FOLDER = 100
const FILES = FOLDERS * SCRIPTS_A_FOLDER * 2
const ROUNDS = 3

export async function uploads(say: (text: string) => void): Promise<Figure[]> {
  const sonde = await startMeasuredSonde()
  const words = ['token', 'create', '--name', 'ci', '--org', 'acme', '--scopes', 'org:ci']
  const { token } = sondeJson<{ token: string }>(sonde.running.dataDir, words)
  try {
    const rounds = []
    for (let round = 0; round < ROUNDS; round++) {
      const folder = mkdtempSync(join(tmpdir(), 'sonde-bench-uploads-'))
      writeBuild(folder, round)
      const to = { url: sonde.running.url, token, project: 'acme/shop', release: `shop@${round}` }
      const zip = await zipBuild(folder, to)
      const cpuBefore = sonde.cpuMs()
      const beganMs = performance.now()
      await uploadZip(zip, to)
      const tookSec = (performance.now() - beganMs) / 1000
      const cpuSec = (sonde.cpuMs() - cpuBefore) / 1000
      rmSync(folder, { recursive: true, force: true })
      say(`${tookSec.toFixed(1)} s, ${cpuSec.toFixed(1)} s of Sonde's processor time`)
      rounds.push({ tookSec, cpuSec })
    }
    const tookSec = median(rounds.map((round) => round.tookSec))
    return [
      {
        part: 'uploads',
        name: `an upload of ${FILES.toLocaleString('en')} new files, until they can be used`,
        value: tookSec,
        unit: 's',
        against: {
          name: "Sonde's processor time",
          value: median(rounds.map((round) => round.cpuSec)),
        },
        budget: atMost(30, tookSec, '30 s'),
      },
    ]
  } finally {
    await sonde.stop()
    sonde.remove()
  }
}

/** As a bundler splits a large application: a chunk for each module. No content is there twice, and none is there of another round. */
function writeBuild(folder: string, round: number): void {
  for (let at = 0; at < FOLDERS; at++) {
    mkdirSync(join(folder, `route-${at}`))
    for (let part = 0; part < SCRIPTS_A_FOLDER; part++) writeChunk(folder, `route-${at}/chunk-${part}`, round)
  }
}

const LINES = 40

function writeChunk(folder: string, name: string, round: number): void {
  const lines = Array.from(
    { length: LINES },
    (_, at) => `export const part${at} = (cart) => cart.total * ${at} + '${name}, build ${round}'.length`,
  )
  const map = {
    version: 3,
    file: `${name}.js`,
    sources: [`src/${name}.ts`],
    sourcesContent: [lines.join('\n')],
    names: [],
    mappings: lines.map((_, at) => (at === 0 ? 'AAAA' : 'AACA')).join(';'),
  }
  writeFileSync(
    join(folder, `${name}.js`),
    `${lines.join('\n')}\n//# sourceMappingURL=${name.split('/')[1]}.js.map\n`,
  )
  writeFileSync(join(folder, `${name}.js.map`), JSON.stringify(map))
}
