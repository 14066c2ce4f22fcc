/** A column of a sheet: its normalised name, and the language of its texts. */
export interface Column {
  readonly name: string;
  /** Language as in the header; undefined if the column has none. */
  readonly language: string | undefined;
}

/** Aliases of columns (https://xlsform.org, and older ones of pyxform). */
const ALIASES: Readonly<Record<string, string>> = {
  relevance: 'relevant',
  caption: 'label',
  command: 'type',
  tag: 'name',
  value: 'name',
  calculate: 'calculation',
  read_only: 'readonly',
  constraintmsg: 'constraint_message',
  requiredmsg: 'required_message',
  constraining_message: 'constraint_message',
  repeat_count: 'count',
  form_name: 'form_title',
  title: 'form_title',
  id_string: 'form_id',
};
/** Prefixes that are ignored. */
const PREFIXES = new Set(['bind', 'control', 'body', 'jr', 'instance']);
const TRANSLATED = new Set(['label', 'hint', 'guidance_hint', 'constraint_message', 'required_message']);

export function toColumn(header: string): Column {
  const parts = header
    .trim()
    .split(/::?/)
    .map((part) => part.trim());
  const start = parts.findIndex((part) => !PREFIXES.has(part.toLowerCase()));
  const [first = '', ...rest] = parts.slice(start);
  const plain = first.toLowerCase().replaceAll(/[\s-]+/g, '_');
  const name = Object.hasOwn(ALIASES, plain) ? (ALIASES[plain] ?? plain) : plain;
  if (rest.length === 0) return { name, language: undefined };
  if (TRANSLATED.has(name)) return { name, language: rest.join(':') };
  return { name: [name, ...rest].join('::'), language: undefined };
}
