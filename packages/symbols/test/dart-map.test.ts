/** Obfuscation maps as `flutter build --extra-gen-snapshot-options=--save-obfuscation-map` writes them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readDartMap, readDebugFile, SymbolError } from '../src/index.ts'

const MAP = Buffer.from(JSON.stringify(['CartException', 'aB', 'Item', 'cD', 'main', 'main']))

describe('a map of Dart', () => {
  it('leads from the name in the program to the one in the source', () => {
    const { names } = readDartMap(MAP)
    assert.deepEqual(
      [...names],
      [
        ['aB', 'CartException'],
        ['cD', 'Item'],
        ['main', 'main'],
      ],
    )
  })
  it('is known by its list, and needs the id of its uploader', () => {
    const debugId = '5b65abfb-2338-4f0b-b3b9-64c8f734d43f'
    assert.equal(readDebugFile(MAP, { name: 'map.json', debugId })[0]?.kind, 'dartsymbolmap')
    assert.throws(() => readDebugFile(MAP, { name: 'map.json', debugId: undefined }), /needs a debug id/)
  })
  it('leaves out what is no pair of texts, and is refused where it is no list', () => {
    assert.deepEqual([...readDartMap(Buffer.from('["a","b",1,"c",["x"],"d","last"]')).names], [['b', 'a']])
    for (const text of ['{"a":"b"}', '[', 'null'])
      assert.throws(() => readDartMap(Buffer.from(text)), SymbolError)
  })
})
