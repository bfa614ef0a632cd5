import { hash } from 'node:crypto'

/** For an event that nobody named: the same each time the record is digested, another for every other record. */
export function eventIdFromPosition(position: number, itemIndex: number): string {
  return hash('sha256', `event ${position} ${itemIndex}`, 'hex').slice(0, 32)
}
