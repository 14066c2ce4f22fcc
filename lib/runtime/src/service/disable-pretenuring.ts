import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 allocate all objects in the young generation. By default, if the objects of a code location often survive,
 * as under load, V8 allocates later ones in the old generation. Garbage there keeps other objects alive until a full
 * collection: see ADR 0051. Without this, a proxy under load spends 1.8 times as long in collections, and its 99th
 * percentile of latency is 1.6 times as high.
 */
export function disablePretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
