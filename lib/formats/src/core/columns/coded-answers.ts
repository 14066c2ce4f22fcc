import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { OTHER_SUFFIX } from '@survey/questionnaire/columns/cell-format';
import { isObject, itemsOf, ownMember, setMember } from '@survey/questionnaire/json';
import type { UnusableValue } from '../responses/response.ts';
import { Ambiguous, type FindOption, toUnknown, type WordedOption, type Wording } from './choices.ts';

interface Item {
  readonly id: string;
}

/** A column whose heading has the code of a question: `Q1` has answers, `Q1_2` has parts of answers. */
export type CodedColumn<Question extends Item, Option extends Item> =
  /** The whole answer, or the text of `other`. */
  | { readonly kind: 'value' | 'other'; readonly question: Question }
  /** Whether one of several options is chosen. */
  | { readonly kind: 'option'; readonly question: Question; readonly option: Option }
  | { readonly kind: 'row'; readonly question: Question; readonly row: Option }
  /** Whether a column of a matrix is chosen in a row. */
  | { readonly kind: 'cell'; readonly question: Question; readonly row: Option; readonly column: Option };

interface NamedColumn {
  readonly kind: string;
  readonly question: Item;
  readonly option?: Item;
  readonly row?: Item;
  readonly column?: Item;
}

/** The name of the target of a column, as in the import option `columns`, such as `q[row][column]`. */
export function nameOfTarget({ kind, question, option, row, column }: NamedColumn): string {
  const parts = [option, row, column].map((part) => (part === undefined ? '' : `[${part.id}]`));
  return [question.id, ...parts, kind === 'other' ? OTHER_SUFFIX : ''].join('');
}

/** The way in which cells name options. */
export interface CellWording {
  readonly find: FindOption;
  readonly wording: Wording;
  /** The tool's word for a question without an answer, such as `N/A`. */
  readonly noAnswer: string;
}

/** The answer, or the part of an answer, in a cell; undefined if there is none. */
export type CellValue = JsonValue | Ambiguous | undefined;

/**
 * The id of the option that a cell names, or the value for an unknown option.
 *
 * @param findOtherwise finds the answer of a cell that has neither a code nor a text of an option
 */
export function optionOf(
  options: readonly WordedOption[],
  cell: string,
  { find, wording, noAnswer }: CellWording,
  findOtherwise: () => JsonValue | undefined = () => undefined,
): CellValue {
  const found = find(options, cell, wording);
  if (found !== undefined || cell === noAnswer) return found;
  return findOtherwise() ?? toUnknown(cell, options);
}

/** The options that the cells of a column name, if each cell has one option; empty for other columns. */
export function optionsIn<Option>({
  kind,
  question: { type, options, columns },
}: {
  readonly kind: string;
  readonly question: {
    readonly type: string;
    readonly options: readonly Option[];
    readonly columns: readonly Option[];
  };
}): readonly Option[] {
  if (kind !== 'row' && (kind !== 'value' || type !== 'single_choice')) return [];
  return type === 'matrix' ? columns : options;
}

/** The answers of a response, from the cells of its columns with codes. */
export interface CodedAnswers {
  readonly answers: JsonObject;
  /** Cells that could mean several options. */
  readonly unread: UnusableValue[];
  /**
   * Adds the value of a cell to the answer to its question.
   *
   * @param describe the problem of a cell that could mean several options, by their ids
   */
  add(column: CodedColumn<Item, Item>, cell: string, value: CellValue, describe: (ids: string) => string): void;
}

export function createCodedAnswers(): CodedAnswers {
  const answers: JsonObject = {};
  const unread: UnusableValue[] = [];

  function rowsOf(id: string): JsonObject {
    const before = ownMember(answers, id);
    const rows = isObject(before) ? (before as JsonObject) : {};
    setMember(answers, id, rows);
    return rows;
  }

  return {
    answers,
    unread,
    add(column, cell, value, describe) {
      const { id } = column.question;
      if (value === undefined) return;
      if (value instanceof Ambiguous) {
        const detail = describe(value.ids.join(' or '));
        unread.push({ kind: 'answer', name: nameOfTarget(column), code: 'AMBIGUOUS_ANSWER', detail, value: cell });
      } else if (column.kind === 'option') addItem(answers, id, value);
      else if (column.kind === 'row') setMember(rowsOf(id), column.row.id, value);
      else if (column.kind === 'cell') addItem(rowsOf(id), column.row.id, value);
      else setMember(answers, id, value);
    },
  };
}

function addItem(owner: JsonObject, name: string, item: JsonValue): void {
  setMember(owner, name, [...(itemsOf(ownMember(owner, name)) as readonly JsonValue[]), item]);
}
