/** Names of symbol tables: read or left as they are, in bounded time and length, the same each time. */
import assert from 'node:assert/strict'
import { demangle } from '@sonde/symbols'
import type { Target } from '../engine/target.ts'

const NAMES = [
  '_ZNK4shop4Cart8checkoutEv',
  '__ZN4shop5totalEPKNS_4ItemEi',
  '_ZSt4sortIN9__gnu_cxx17__normal_iteratorIPiSt6vectorIiSaIiEEEEEvT_S7_',
  '_ZZN4shop3runEvENKUlT_E_clIiEEDaS1_',
  '_ZN5boost6detail8functionIFvRKNS_6systemEEE9assign_toIZ4mainEUlvE_EEbT_',
  '_ZN4core3fmt9Formatter3pad17h05af221e174051e9E',
  '_RNvXs5_NtCsg_5alloc6stringNtB5_6StringNtNtCs_4core3fmt7Display3fmt',
  '_RINvNtC3std3mem8align_ofNtNtC3std3mem12DiscriminantE',
]

export const demangled: Target = {
  name: 'demangle',
  seeds: () => NAMES.map((name) => Buffer.from(name)),
  words: [
    '_ZN',
    '_R',
    'S_',
    'S0_',
    'T_',
    'IiE',
    'EEE',
    'NK',
    'Ul',
    'vE_',
    'Li1E',
    'Dp',
    'sr',
    'B5_',
    'F',
    'P',
    'K',
  ],
  maxBytes: 5_000,
  open: () => ({
    run(input) {
      const name = input.toString('utf8')
      const found = demangle(name)
      assert.ok(found.length <= 5_000, `${name.length} characters became ${found.length}`)
      assert.equal(demangle(name), found)
    },
  }),
}
