import { setFlagsFromString } from 'node:v8';

/**
 * Lets V8 allocate everything in the young generation. Left alone, it goes over to the old one at places in the code
 * whose objects outlived a few collections, as nearly all of a request do once many have had to wait. What is allocated
 * there and dies keeps alive what it points to until the next full collection: see ADR 0051.
 */
export function keepGarbageYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
