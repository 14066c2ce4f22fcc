import type { Download } from './reply.ts';

/** Parses a streamed reply with one JSON value a line, such as an export with `format: 'ndjson'`. */
export function readNdjson<T>(response: Download<T>): AsyncGenerator<T, void, undefined>;
export function readNdjson<T = unknown>(response: Pick<Response, 'body'>): AsyncGenerator<T, void, undefined>;
export async function* readNdjson(response: Pick<Response, 'body'>): AsyncGenerator<unknown, void, undefined> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const lines = (rest + decoder.decode(next.value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield JSON.parse(line);
    }
    if (rest !== '') yield JSON.parse(rest);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
