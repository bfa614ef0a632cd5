import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES } from '@sonde/access'
import { scopeText } from '../../../src/parts/tokens/token-form.tsx'

test('every scope is explained', () => {
  for (const scope of SCOPES) assert.ok(scopeText(scope), scope)
})
