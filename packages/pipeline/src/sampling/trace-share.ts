/**
 * Where a trace lies between 0 and 1: it is kept by every rule whose rate is above. So a trace is kept or dropped as a
 * whole wherever rates are the same, and what a lower rate keeps, a higher one keeps too.
 */
import { hash } from 'node:crypto'

/** Another prefix draws another lot for every trace: it is changed only together with the rules' meaning. */
const LOT = 'sonde-sampling-1:'

/** 48 bits: more than any rate can tell apart, and exact as a number. */
const HEX_DIGITS = 12
const SHARES = 16 ** HEX_DIGITS

/**
 * At least 0, less than 1, evenly spread. Never the id's own bits: OpenTelemetry's ratio sampler decides by those (and
 * some ids begin with the time), so what arrives is not evenly spread in them.
 * https://opentelemetry.io/docs/specs/otel/trace/sdk/#traceidratiobased
 */
export function traceShare(traceId: string): number {
  return Number.parseInt(hash('sha256', LOT + traceId, 'hex').slice(0, HEX_DIGITS), 16) / SHARES
}
