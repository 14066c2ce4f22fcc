import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 allocate all objects in the young generation. By default, it starts to allocate in the old generation at
 * code locations whose objects survived, as under load. Garbage there keeps other objects alive until a full
 * collection: see ADR 0051.
 */
export function disablePretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
