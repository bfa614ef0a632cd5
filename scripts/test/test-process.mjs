/**
 * Loads the files that `SONDE_TEST_FILES` lists into this process; then Node's runner starts their tests. By itself it
 * would take a file that cannot be loaded for one without tests.
 */
import './screen-modules.mjs'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

// What a test forks would take over the options of the runner, and report as if it were this process.
process.execArgv = process.execArgv.filter((option) => !option.startsWith('--test'))

const files = JSON.parse(process.env.SONDE_TEST_FILES)
// The same code gives the same result; `SONDE_TEST_SEED` and `npm run fuzz` look further.
if (files.some((file) => readFileSync(file, 'utf8').includes("'fast-check'"))) {
  const { configureGlobal } = await import('fast-check')
  configureGlobal({ seed: Number(process.env.SONDE_TEST_SEED ?? 1) })
}

for (const file of files) {
  try {
    await import(pathToFileURL(resolve(file)).href)
  } catch (error) {
    test(`${file} can be loaded`, () => {
      throw error
    })
  }
}
