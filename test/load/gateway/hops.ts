import type { LoadModel } from '../load-task.ts';
import { measureLoad, type Round } from '../measured-load.ts';
import { BODY, PATH } from './requests.ts';

/** A process that gets requests. */
export interface Hop {
  readonly origin: string;
  readonly pid: number;
}

/** The upstream and two proxies in front of it. */
export interface Hops {
  readonly upstream: Hop;
  readonly bare: Hop;
  readonly gateway: Hop;
}

/** Sends the same request to a hop for some seconds, and measures the CPU time of the hop. */
export type Post = (name: keyof Hops, model: LoadModel, seconds: number) => Promise<Round>;

/** @param token token of the sender */
export function createPost(hops: Hops, token: string): Post {
  const request = { path: PATH, headers: { authorization: `Bearer ${token}` }, body: BODY };
  return (name, model, seconds) => {
    const { origin, pid } = hops[name];
    const task = { ...request, origins: [origin], model, warmUpMs: 2_000, measureMs: seconds * 1000 };
    return measureLoad(task, new Map([[name, pid]]));
  };
}
