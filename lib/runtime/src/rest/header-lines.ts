import type { IncomingMessage } from 'node:http';

/**
 * The values of all lines of a header, as they came; `name` in lower case. Tells repeated ones that `headers` hides, at
 * a tenth of what `headersDistinct` costs, which makes a list of every header.
 */
export function headerLines({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    // Both are there.
    const [key, value] = [rawHeaders[at] as string, rawHeaders[at + 1] as string];
    if (key.length === name.length && key.toLowerCase() === name) lines.push(value);
  }
  return lines;
}
