import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { once } from '@survey/questionnaire/once';
import type { Row } from '../../tables/row.ts';
import { addToSet, getOrAdd } from '../maps.ts';
import { sourceDataOf } from '../source-data.ts';
import { objectsOf, questionsOf } from '../source-questions.ts';
import { textsOf } from '../texts.ts';
import { toExactKey, toLooseKey } from './headings.ts';

/** The names of options in cells: codes, texts, or `either` if the file has both or the wording is unknown. */
export type Wording = 'codes' | 'texts' | 'either';

/** An option with its names in the tool. */
export interface WordedOption {
  readonly id: string;
  readonly code: string;
  readonly texts: readonly string[];
}

/** Stands for an answer that could be any of these options. */
export class Ambiguous {
  readonly ids: readonly string[];

  constructor(ids: readonly string[]) {
    this.ids = ids;
  }
}

/** Finds the id of the option that a cell names. `Ambiguous` if code and text match different options. */
export type FindOption = (
  options: readonly WordedOption[],
  cell: string,
  wording: Wording,
) => string | Ambiguous | undefined;

/** Ids of the options with a code or text. */
type IdsByName = ReadonlyMap<string, ReadonlySet<string>>;

interface Names {
  readonly byCode: IdsByName;
  readonly byText: IdsByName;
  /** By texts without differences in white space, and by texts without HTML, case and punctuation at the end. */
  readonly byExactKey: IdsByName;
  readonly byLooseKey: IdsByName;
}

/**
 * Creates the search for the options of cells. A text that no option has exactly can differ in white space, then in
 * HTML, case and punctuation. A cell that several options match is ambiguous.
 */
export function createFindOption(): FindOption {
  const cache = new WeakMap<readonly WordedOption[], Names>();
  return (options, cell, wording) => {
    const { byCode, byText, byExactKey, byLooseKey } = getOrAdd(cache, options, () => readNames(options));
    const codes = wording === 'texts' ? undefined : byCode.get(cell);
    const texts = wording === 'codes' ? undefined : byText.get(cell);
    const found =
      codes === undefined && texts === undefined && wording !== 'codes'
        ? (byExactKey.get(toExactKey(cell)) ?? byLooseKey.get(toLooseKey(cell)))
        : new Set([...(codes ?? []), ...(texts ?? [])]);
    const [id, ...more] = found ?? [];
    if (more.length === 0) return id;
    // Keep the order of the survey: if the option of the code always came first, the message would reveal the cell.
    return new Ambiguous(options.map((option) => option.id).filter((one) => found?.has(one) === true));
  };
}

function readNames(options: readonly WordedOption[]): Names {
  const [byCode, byText] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  const [byExactKey, byLooseKey] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  for (const { id, code, texts } of options) {
    addToSet(byCode, code, id);
    for (const text of texts) {
      addToSet(byText, text, id);
      addToSet(byExactKey, toExactKey(text), id);
      addToSet(byLooseKey, toLooseKey(text), id);
    }
  }
  for (const names of [byExactKey, byLooseKey]) names.delete('');
  return { byCode, byText, byExactKey, byLooseKey };
}

/** An option with the names by which validation finds it: its id, and texts that no other option has. */
interface NamedOption {
  readonly id: string;
  readonly texts?: readonly string[];
}

/** Ids and texts by list of options. */
const knownNames = new WeakMap<readonly NamedOption[], ReadonlySet<string>>();

/**
 * The value for a cell that names no option. Validation rejects it: it is the cell, or an object if the cell equals the
 * id or a text of an option by chance. In the other tool, this option has another name.
 */
export function toUnknown(cell: JsonValue, options: readonly NamedOption[]): JsonValue {
  const names = getOrAdd(
    knownNames,
    options,
    () => new Set(options.flatMap(({ id, texts = [] }) => [id, ...texts].map(toName))),
  );
  // Validation takes the text of a number, too.
  return names.has(toName(String(cell))) ? { value: cell } : cell;
}

/** Validation compares ids and texts like this. */
function toName(text: string): string {
  return text.normalize('NFC').trim();
}

/** The name of an unknown row. Validation rejects it, even if the row in the file is called like the id of a row. */
export function toUnknownName(name: string, rows: readonly NamedOption[]): string {
  const unknown = toUnknown(name, rows);
  return typeof unknown === 'string' ? unknown : JSON.stringify(unknown);
}

/** Words of tools for a chosen option. */
const CHOSEN = new Set(
  '1 true yes y x ✓ ✔ ☑ checked selected quoted ja oui si sí sim tak да wahr vrai verdadero'.split(' '),
);
const NOT_CHOSEN = new Set(
  '0 false no n - unchecked unselected nein non não nie нет falsch faux falso'.split(' ').concat('not selected'),
);

/** Whether a word in the column of an option says that it is chosen; undefined for other words. */
export function isChosenWord(cell: string): boolean | undefined {
  const word = cell.trim().toLowerCase();
  return CHOSEN.has(word) ? true : NOT_CHOSEN.has(word) ? false : undefined;
}

/** Learns from sample cells how a file names options. */
interface WordingSample {
  look(options: readonly WordedOption[], cell: string): void;
  /** The wording of unambiguous cells: `otherwise` if there were none, `either` if both occurred. */
  wording(otherwise: Wording): Wording;
}

export function createWordingSample(find: FindOption): WordingSample {
  const wordings = new Set<Wording>();
  return {
    look(options, cell) {
      const isCode = typeof find(options, cell, 'codes') === 'string';
      const isText = typeof find(options, cell, 'texts') === 'string';
      if (isCode !== isText) wordings.add(isCode ? 'codes' : 'texts');
    },
    wording(otherwise) {
      const [only = otherwise] = wordings;
      return wordings.size > 1 ? 'either' : only;
    },
  };
}

type OptionNames = () => ReadonlySet<string>;

/** The codes and texts of options, by the positions of columns with numbers or options. Other columns have texts. */
export function optionNames(
  targets: ReadonlyMap<number, string>,
  payload: JsonObject,
): ReadonlyMap<number, OptionNames> {
  const isText = ({ type, format }: JsonObject) =>
    type === 'textarea' || (type === 'text' && format !== 'number' && format !== 'integer');
  // Many columns can be of one question.
  const names = new Map(
    questionsOf(payload)
      .filter((question) => !isText(question))
      .map((question) => [String(question['id']), once(() => namesOfOptions(question))]),
  );
  return new Map(
    [...targets].flatMap(([position, name]) => {
      const found = names.get(name) ?? names.get(name.split('[', 1)[0] ?? '');
      return found === undefined ? [] : [[position, found] as const];
    }),
  );
}

function namesOfOptions({ options, rows, columns }: JsonObject): ReadonlySet<string> {
  return new Set(
    [options, rows, columns].flatMap(objectsOf).flatMap((item) => {
      const { source_id: id, recode } = sourceDataOf(item);
      return [...[id, recode].map(String), ...textsOf(item['text'])];
    }),
  );
}

/**
 * Numbers and codes of options in a workbook, without the decimals and units that it displays. A cell keeps zeros at its
 * beginning, and the name of an option such as `2.00`.
 */
export function withPlainNumbers(row: Row, columns: ReadonlyMap<number, OptionNames>): Row {
  const { cells, numbers } = row;
  if (numbers === undefined) return row;
  const plain = (cell: string, position: number) => {
    const names = columns.get(position);
    const number = numbers.get(position);
    const isPlain = names !== undefined && number !== undefined && number !== cell && !/^0\d/.test(cell);
    return isPlain && !names().has(cell) ? number : cell;
  };
  return { ...row, cells: cells.map(plain) };
}
