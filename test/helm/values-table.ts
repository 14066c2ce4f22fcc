import { parse } from 'yaml';

const BEGIN = '<!-- values: made by npm run generate:helm -->';
const END = '<!-- end of values -->';
/** Maximum length of a default in the table. */
const LONGEST = 60;

interface Row {
  readonly path: readonly string[];
  readonly help: string;
}

/** Inserts a table of all commented values into the README: path, default and comment. */
export function withValuesTable(readme: string, values: string): string {
  const [before, rest] = readme.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`the README has no ${BEGIN} or ${END}`);
  const rows = explainedValues(values);
  const lines = rows.map((row) => {
    const hasMembers = rows.some(({ path }) => path.length > row.path.length && startsWith(path, row.path));
    return `| \`${row.path.join('.')}\` | ${hasMembers ? '' : toDefault(parse(values), row.path)} | ${row.help} |`;
  });
  return `${before}${BEGIN}\n\n| value | default | |\n|---|---|---|\n${lines.join('\n')}\n\n${END}${after}`;
}

/** Keys with a comment directly before them at the same depth. */
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
  // The path exists in the same text.
  const value = path.reduce<unknown>((inner, key) => (inner as Readonly<Record<string, unknown>>)[key], values);
  const text = JSON.stringify(value);
  return text.length > LONGEST ? 'see values.yaml' : `\`${text}\``;
}
