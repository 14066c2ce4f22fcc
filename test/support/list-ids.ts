import { expect } from 'vitest';
import type { Api } from './platform.ts';

/** Ids on all pages of a list. */
export async function listIds(api: Api, path: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, headers, body } = await api('GET', next);
    expect(status).toBe(200);
    ids.push(...body.map(({ id }: { id: string }) => id));
    next = /<([^>]*)>/.exec(headers.get('link') ?? '')?.[1];
  }
  return ids;
}
