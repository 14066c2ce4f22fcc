import { parse } from 'yaml';

const BEGIN = '<!-- values: made by npm run generate:helm -->';
const END = '<!-- end of values -->';
/** The longest default that the table shows. */
const LONGEST = 60;

interface Row {
  readonly path: readonly string[];
  readonly help: string;
}

/** The README with a table of all values that have a comment before them: path, default, comment. */
export function withValuesTable(readme: string, values: string): string {
  const [before, rest] = readme.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`the README lacks ${BEGIN} or ${END}`);
  const rows = explainedValues(values);
  const lines = rows.map((row) => {
    const hasMembers = rows.some(({ path }) => path.length > row.path.length && startsWith(path, row.path));
    return `| \`${row.path.join('.')}\` | ${hasMembers ? '' : toDefault(parse(values), row.path)} | ${row.help} |`;
  });
  return `${before}${BEGIN}\n\n| value | default | |\n|---|---|---|\n${lines.join('\n')}\n\n${END}${after}`;
}

/** Keys that have a comment right before them, of the same depth. */
function explainedValues(values: string): readonly Row[] {
  const rows: Row[] = [];
  let path: readonly string[] = [];
  let comment: string[] = [];
  for (const line of values.split('\n')) {
    const said = /^ *# ?(.*)$/.exec(line)?.[1];
    const [, depth = '', key] = /^( *)(\w+):/.exec(line) ?? [];
    if (said !== undefined) comment.push(said);
    if (key !== undefined) {
      path = [...path.slice(0, depth.length / 2), key];
      if (comment.length > 0) rows.push({ path, help: comment.join(' ') });
    }
    if (said === undefined) comment = [];
  }
  return rows;
}

function startsWith(path: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((key, index) => path[index] === key);
}

function toDefault(values: unknown, path: readonly string[]): string {
  // The path was read from the same text.
  const value = path.reduce<unknown>((inner, key) => (inner as Readonly<Record<string, unknown>>)[key], values);
  const text = JSON.stringify(value);
  return text.length > LONGEST ? 'see values.yaml' : `\`${text}\``;
}
