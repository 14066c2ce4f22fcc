import { pointer } from '@survey/questionnaire/pointer';

/** The value of a JSON text, or the error if the text is invalid. */
export type ParsedJson =
  | { readonly value: unknown; readonly error?: undefined }
  | { readonly error: { readonly message: string; readonly line: number | undefined } };

/** Formats a value as JSON with two spaces for each level. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Parses JSON. Lines count from 1. `line` is undefined if the browser does not report the position of the error. */
export function parseJson(text: string): ParsedJson {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { error: { message, line: lineOfError(message, text) } };
  }
}

function lineOfError(message: string, text: string): number | undefined {
  // Messages can quote the text, so only their ends are compared.
  const line = / at line (\d+) column \d+ of the JSON data$/.exec(message)?.[1];
  if (line !== undefined) return Number(line);
  const position = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1];
  if (position !== undefined) return text.slice(0, Number(position)).split('\n').length;
  return message === 'Unexpected end of JSON input' ? text.split('\n').length : undefined;
}

interface Container {
  readonly pointer: string;
  /** Index of the next item of an array; undefined for objects. */
  index: number | undefined;
  /** Name of the current member of an object. */
  name: string | undefined;
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:\n]|[^\s"{}[\],:]+/g;

/**
 * Returns the line on which each value begins, by its JSON pointer (RFC 6901). Lines count from 1.
 *
 * @param text valid JSON
 */
export function linesOfValues(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  const containers: Container[] = [];
  let line = 1;
  for (const [token] of text.matchAll(TOKEN)) {
    const container = containers.at(-1);
    if (token === '\n') line += 1;
    else if (token === ',' && container?.index !== undefined) container.index += 1;
    else if (token === ',' && container !== undefined) container.name = undefined;
    else if (token === '}' || token === ']') containers.pop();
    else if (container !== undefined && container.index === undefined && container.name === undefined) {
      container.name = JSON.parse(token) as string;
      // Findings about a member belong to the line of its name.
      lines.set(pointer(container.pointer, container.name), line);
    } else if (token !== ':' && token !== ',') {
      const path = container === undefined ? '' : pointer(container.pointer, container.name ?? String(container.index));
      if (!lines.has(path)) lines.set(path, line);
      if (token === '{') containers.push({ pointer: path, index: undefined, name: undefined });
      if (token === '[') containers.push({ pointer: path, index: 0, name: undefined });
    }
  }
  return lines;
}

/** Returns the line of a value, or of the closest value around it that exists. */
export function lineOfPointer(lines: ReadonlyMap<string, number>, path: string): number {
  let ancestor = path;
  while (ancestor !== '' && !lines.has(ancestor)) ancestor = ancestor.slice(0, ancestor.lastIndexOf('/'));
  return lines.get(ancestor) ?? 1;
}
