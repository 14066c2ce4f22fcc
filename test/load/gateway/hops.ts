import type { LoadModel } from '../load-task.ts';
import { measureLoad, type Round } from '../measured-load.ts';
import { BODY, PATH } from './requests.ts';

/** A process that requests are sent to. */
export interface Hop {
  readonly origin: string;
  readonly pid: number;
}

/** What answers, and two proxies before it. */
export interface Hops {
  readonly upstream: Hop;
  readonly bare: Hop;
  readonly gateway: Hop;
}

/** Sends the same request to a hop for some seconds, and measures the CPU time of the hop under its name. */
export type Post = (name: keyof Hops, model: LoadModel, seconds: number) => Promise<Round>;

/** @param token of who sends the requests */
export function createPost(hops: Hops, token: string): Post {
  const request = { path: PATH, headers: { authorization: `Bearer ${token}` }, body: BODY };
  return (name, model, seconds) => {
    const { origin, pid } = hops[name];
    const task = { ...request, origins: [origin], model, warmUpMs: 2_000, measureMs: seconds * 1000 };
    return measureLoad(task, new Map([[name, pid]]));
  };
}
