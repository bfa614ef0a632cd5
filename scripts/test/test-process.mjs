/**
 * Loads the files that `SONDE_TEST_FILES` lists into this process; then Node's runner starts their tests. By itself it
 * would take a file that cannot be loaded for one without tests.
 */
import './screen-modules.mjs'
import { test } from 'node:test'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

// What a test forks would take over the options of the runner, and report as if it were this process.
process.execArgv = process.execArgv.filter((option) => !option.startsWith('--test'))

for (const file of JSON.parse(process.env.SONDE_TEST_FILES)) {
  try {
    await import(pathToFileURL(resolve(file)).href)
  } catch (error) {
    test(`${file} can be loaded`, () => {
      throw error
    })
  }
}
