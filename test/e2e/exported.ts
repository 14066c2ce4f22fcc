import { expect } from 'vitest';
import type { Api } from '../support/platform.ts';

type Row = Readonly<Record<string, unknown>>;

/** Exports a survey or its responses. */
export async function exportOf(api: Api, path: string) {
  const { status, body } = await api('GET', `${path}/export?format=json`);
  expect(status).toBe(200);
  return body;
}

/** Responses by the ids of the tool, without members that the platform adds. */
export function byToolId(rows: readonly Row[]) {
  return Object.fromEntries(
    rows.map(({ external_id: externalId, id, data, status, started_at, completed_at, language, metadata }) => [
      String(externalId ?? id),
      { data, status, started_at, completed_at, language, metadata },
    ]),
  );
}
