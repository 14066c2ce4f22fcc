import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { setMember } from '@survey/questionnaire/json';
import { once } from '@survey/questionnaire/once';
import type { ResponseReadOptions } from '../core/reader.ts';
import { OTHER_SURVEY_ERROR } from '../core/responses/items.ts';
import { fitMetadata, keepUnknownCells, unknownColumnWarning } from '../core/responses/metadata.ts';
import type { FileResponse } from '../core/responses/response.ts';
import { createTimeReader } from '../core/responses/times.ts';
import { createWarnOnce } from '../files/report.ts';
import { toRows } from './repeats.ts';
import { createSubmissionColumns, type SubmissionColumns, slashesIn } from './submission-columns.ts';
import { readSubmissionDetails } from './submission-details.ts';

interface Submission {
  readonly index: number;
  /** Cells that are not empty, by `group/name`, `group-name`, name or label. */
  readonly cells: ReadonlyMap<string, JsonValue>;
  /** JSON pointer; empty for a row. */
  readonly path: string;
  /** Rows of repeats by repeat, if they are not in the cells. */
  readonly repeats?: JsonObject;
  /** Whether the submission is a row of a table. The header of the table was checked. */
  readonly isRow: boolean;
  /** Location for messages, such as `row 3`; can be empty. */
  readonly location: string;
}

export interface SubmissionReader {
  (submission: Submission): FileResponse;
  readonly columns: SubmissionColumns;
  /** The path of a repeat by its path, name or label, which a workbook can have cut. Other names are unchanged. */
  toRepeatName(name: string): string;
}

/** Reads submissions by the names that the survey keeps in `source_data`. */
export function createSubmissionReader(
  payload: JsonObject,
  { table, warn }: Pick<ResponseReadOptions, 'table' | 'warn'>,
): SubmissionReader {
  const warnOnce = createWarnOnce(warn);
  const readTime = createTimeReader(table.timeZone, warnOnce);
  const columns = createSubmissionColumns(payload);

  const read = ({ index, cells, repeats: listed = {}, path, isRow, location }: Submission): FileResponse => {
    const { answers, repeats, used } = readAnswers(cells, columns);
    const { id, unread, ...times } = readSubmissionDetails(cells, { columns, readTime });
    const rest = [...cells].filter(([name]) => !used.has(name) && !columns.isToolColumn(name));
    for (const [name] of rest) {
      const { code, detail } = unknownColumnWarning(name);
      warnOnce(name, { path, code, detail: location === '' ? detail : `${location}: ${detail}` });
    }
    const kept = keepUnknownCells(rest);
    const dropped = kept.dropped.filter(({ column }) => !columns.isAboutResponse(column));
    const allRepeats = { ...listed, ...repeats };
    const hasRepeats = Object.keys(allRepeats).length > 0;
    if (used.size === 0 && !hasRepeats && dropped.length > 0 && !isRow) return { index, id, ...OTHER_SURVEY_ERROR };
    return {
      index,
      id,
      externalId: undefined,
      ...times,
      language: undefined,
      answers,
      ...(unread.length === 0 ? {} : { unread }),
      ...fitMetadata(
        {
          ...kept.metadata,
          ...(hasRepeats ? { repeats: allRepeats } : {}),
        },
        { warnOnce, path, dropped },
      ),
    };
  };
  return Object.assign(read, {
    columns,
    toRepeatName(name: string) {
      const [path, ...others] = columns.findRepeats(name);
      if (path === undefined || others.length === 0) return path ?? name;
      const detail = `The name ${name} can be of several repeats of the form, so its rows are kept under this name`;
      warnOnce(name, { path: '', code: 'KEPT_AS_METADATA', detail });
      return name;
    },
  });
}

/** Reads the answers, and the rows of repeats that are in the cells, with the names of the used cells. */
function readAnswers(
  cells: ReadonlyMap<string, JsonValue>,
  { targets, names, findRepeats }: Pick<SubmissionColumns, 'targets' | 'names' | 'findRepeats'>,
) {
  const used = new Set<string>();
  const take = (name: string): JsonValue | undefined => {
    const value = cells.get(name);
    if (value !== undefined) used.add(name);
    return value;
  };
  const suffixes = once(() => suffixesByQuestion(cells.keys(), names));
  const suffixesOf = (name: string) => suffixes().get(name) ?? [];
  const answers: [string, JsonValue][] = [];
  const tables = new Map<string, [string, JsonValue][]>();
  for (const { id, row, names: possibleNames, toAnswer } of targets) {
    const answer = toAnswer(possibleNames, { take, cells, suffixesOf });
    if (answer === undefined) continue;
    if (row === undefined) answers.push([id, answer]);
    else
      tables
        .set(id, tables.get(id) ?? [])
        .get(id)
        ?.push([row, answer]);
  }
  for (const [id, byRow] of tables) answers.push([id, Object.fromEntries(byRow)]);
  const repeats: JsonObject = {};
  for (const [name, value] of cells) {
    const [repeatPath] = Array.isArray(value) ? findRepeats(name) : [];
    if (repeatPath !== undefined) setMember(repeats, repeatPath, toRows(take(name) ?? value, name));
  }
  return { answers: Object.fromEntries(answers), repeats, used };
}

/** Groups column suffixes by question: `dishes/soup` becomes `soup` of `dishes`. */
function suffixesByQuestion(
  columns: Iterable<string>,
  names: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const parts = new Map<string, string[]>();
  for (const column of columns) {
    for (const at of slashesIn(column)) {
      const name = column.slice(0, at);
      if (names.has(name))
        parts
          .set(name, parts.get(name) ?? [])
          .get(name)
          ?.push(column.slice(at + 1));
    }
  }
  return parts;
}
