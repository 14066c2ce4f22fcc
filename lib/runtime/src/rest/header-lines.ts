import type { IncomingMessage } from 'node:http';

/**
 * All unparsed values of a header. `name` must be in lower case. Unlike `headers`, it shows repeated headers. It takes
 * a tenth of the time of `headersDistinct`, which parses all headers.
 */
export function headerLines({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  const lines: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [key, value] = [rawHeaders[index] as string, rawHeaders[index + 1] as string];
    if (key.length === name.length && key.toLowerCase() === name) lines.push(value);
  }
  return lines;
}
