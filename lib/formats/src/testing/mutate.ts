const SNIPPETS = [
  '"',
  "'",
  ',',
  ';',
  '\n',
  '\r\n',
  '{',
  '}',
  '[',
  ']',
  '<',
  '>',
  '&amp;',
  '&x;',
  '<!DOCTYPE a>',
  ']]>',
  '\0',
  '\uFEFF',
  '\uD800',
  'null',
  'true',
  '-1',
  '1e999',
  '9007199254740993',
  '0.1',
  '"__proto__":{},',
  '"constructor"',
  '$\u007ba}',
  '{a}',
  ' and ',
  ' or not(',
  '((((((((',
  '!!!!!!!!',
  '(a+)+$',
  'other',
  '2024-02-30',
  'x'.repeat(5_000),
];
/** Replacements for JSON values. */
const VALUES = [
  'null',
  '[]',
  '{}',
  '""',
  '0',
  '-1',
  '1.5',
  'true',
  '"x"',
  '[[]]',
  '{"a":[null]}',
  '"other"',
  '"constructor"',
  '"toString"',
  '"__proto__"',
  '[{}]',
  '["",null,7]',
];
const VALUE = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d+(?:\.\d+)?|true|false|null/g;

/** Changes a file at random; the result can be invalid. */
export function mutate(file: Buffer, random: () => number, isJson: boolean): Buffer {
  let changed = file;
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item; // not empty
  const position = () => Math.floor(random() * (changed.length + 1));
  for (let count = 1 + Math.floor(random() * 3); count > 0; count -= 1) {
    const [from, to] = [position(), position()].toSorted((one, other) => one - other) as [number, number];
    const near = Math.min(to, from + 40);
    switch (Math.floor(random() * (isJson ? 24 : 6))) {
      case 0:
        changed = Buffer.concat([changed.subarray(0, from), changed.subarray(near)]);
        break;
      case 1:
        changed = Buffer.concat([changed.subarray(0, near), changed.subarray(from)]);
        break;
      case 2:
        changed = Buffer.concat([changed.subarray(0, from), Buffer.from(pick(SNIPPETS)), changed.subarray(from)]);
        break;
      case 3:
        changed = Buffer.from(changed);
        if (from < changed.length) changed[from] = Math.floor(random() * 256);
        break;
      case 4:
        changed = changed.subarray(0, random() < 0.2 ? to : changed.length);
        break;
      case 5:
        changed = Buffer.concat([
          changed.subarray(0, from),
          changed.subarray(from, near),
          changed.subarray(from, near),
          changed.subarray(near),
        ]);
        break;
      default:
        changed = Buffer.from(replaceValue(changed.toString('utf8'), random, pick));
    }
  }
  return changed;
}

/** Changes a value of a JSON file: to an unusual value, or to another one of the file. */
function replaceValue(text: string, random: () => number, pick: <Item>(items: readonly Item[]) => Item): string {
  const values = [...text.matchAll(VALUE)].filter(([, colon]) => colon === undefined);
  if (values.length === 0) return text;
  const [found, other] = [pick(values), pick(values)];
  const value = random() < 0.5 ? pick(VALUES) : other[0];
  return text.slice(0, found.index) + value + text.slice(found.index + found[0].length);
}
