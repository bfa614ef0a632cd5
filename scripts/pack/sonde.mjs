#!/usr/bin/env node
/** Sonde from a release archive: `node sonde.mjs start`. Needs Node 24 and nothing else. */
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    `sonde: this is Node ${process.versions.node}, and Sonde needs Node 24 or newer: https://nodejs.org/en/download\n`,
  )
  process.exit(2)
}
await import('./dist/server/sonde.js')
