type Json = Readonly<Record<string, unknown>>;

/** Prints a TypeScript interface of the answers to a definition. */
export function printAnswerTypes(definition: unknown, title: string): string {
  const questions = listOf(definition, 'pages').flatMap((page) => listOf(page, 'questions'));
  const members = questions.map((question) => {
    const comment = textOf(question['title'])?.replaceAll('*/', '* /').replaceAll('\n', ' ');
    return `${comment ? `  /** ${comment} */\n` : ''}  ${quote(String(question['id']))}?: ${printType(question)};\n`;
  });
  const heading = title.replaceAll('*/', '* /').replaceAll('\n', ' ');
  return `/** Answers to "${heading}", by question id. Hidden and optional questions have none. */
export interface Answers {
${members.join('')}}
`;
}

function printType(question: Json): string {
  switch (question['type']) {
    case 'single_choice':
      return `${printIds(question, 'options')}${question['allow_other'] === true ? " | { option: 'other'; text: string }" : ''}`;
    case 'multiple_choice': {
      const chosen = `(${printIds(question, 'options')})[]`;
      return question['allow_other'] === true ? `${chosen} | { options?: ${chosen}; other: string }` : chosen;
    }
    case 'rating':
      return 'number';
    case 'likert':
      return listOf(question, 'rows').length === 0
        ? printIds(question, 'options')
        : printRows(question, printIds(question, 'options'));
    case 'matrix': {
      const column = printIds(question, 'columns');
      return printRows(question, question['multiple'] === true ? `(${column})[]` : column);
    }
    case 'file_upload':
      return '{ file_id: string }[]';
    case 'text':
    case 'textarea':
    case 'date':
    case 'time':
      return 'string';
    default:
      return 'unknown';
  }
}

function printRows(question: Json, value: string): string {
  return `{ ${idsOf(question, 'rows')
    .map((id) => `${quote(id)}?: ${value}`)
    .join('; ')} }`;
}

function printIds(question: Json, member: string): string {
  const ids = idsOf(question, member);
  return ids.length === 0 ? 'string' : ids.map((id) => quote(id)).join(' | ');
}

/** Ids of options, rows or columns. Without an id, the text is the id. */
function idsOf(question: Json, member: string): readonly string[] {
  return listOf(question, member).map((item) => {
    const id = item['id'] ?? textOf(item['text']);
    return String(id).normalize('NFC').trim();
  });
}

/** The items of a list; a text stands for an object with this text. */
function listOf(value: unknown, member: string): readonly Json[] {
  const items = typeof value === 'object' && value !== null ? (value as Json)[member] : undefined;
  if (!Array.isArray(items)) return [];
  return items.map((item) => {
    if (typeof item !== 'string') return item;
    return item.trim() === 'other' ? { id: 'other_option', text: item } : { text: item };
  });
}

/** A text, or its first translation. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const [first] = Object.values(value);
  return typeof first === 'string' ? first : undefined;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
}
