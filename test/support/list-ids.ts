import { expect } from 'vitest';
import type { Api } from './platform.ts';

/** The ids on all pages of a list. */
export async function listIds(api: Api, path: string): Promise<readonly string[]> {
  return (await listAll<{ readonly id: string }>(api, path)).map(({ id }) => id);
}

/** The items on all pages of a list. */
export async function listAll<T>(api: Api, path: string): Promise<readonly T[]> {
  const items: T[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, headers, body } = await api('GET', next);
    expect(status).toBe(200);
    items.push(...body);
    next = /<([^>]*)>/.exec(headers.get('link') ?? '')?.[1];
  }
  return items;
}
