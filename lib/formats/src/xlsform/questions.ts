import type { JsonObject } from '@bufbuild/protobuf';
import { createPatternCompiler } from '@survey/questionnaire/answers/pattern';
import { type AskedRow, type FormReading, toFormQuestion, warnOfFormType } from './form-reading.ts';
import type { Lists } from './lists.ts';
import type { RowType } from './row-types.ts';

type Select = Extract<RowType, { kind: 'select' }>;

const FILES: Readonly<Record<string, string>> = {
  image: 'image/*',
  audio: 'audio/*',
  'background-audio': 'audio/*',
  video: 'video/*',
  file: '',
};

const REGEX = /^\s*regex\(\s*\.\s*,\s*(?:'([^']*)'|"([^"]*)")\s*\)\s*$/;

/** Converts a row to questions. A dateTime becomes a date and a time. */
export function readFormQuestions(
  type: RowType,
  asked: AskedRow,
  lists: Lists,
  reading: FormReading,
): readonly JsonObject[] {
  if (type.kind === 'select') return [readSelect(type, asked, lists, reading)];
  const name = type.kind === 'plain' ? type.name : '';
  if (Object.hasOwn(FILES, name)) {
    const accept = FILES[name] ?? '';
    return [
      toFormQuestion(asked, reading, 'file_upload', {
        members: { max_files: 1, ...(accept === '' ? {} : { accept }) },
      }),
    ];
  }
  switch (name) {
    case 'text': {
      // Texts can have several lines, unless a pattern restricts them.
      const members = patternOf(asked);
      return [toFormQuestion(asked, reading, members['pattern'] === undefined ? 'textarea' : 'text', { members })];
    }
    case 'integer':
    case 'decimal':
      return [toFormQuestion(asked, reading, 'text', { members: { format: name === 'integer' ? name : 'number' } })];
    case 'range':
      return [readRange(asked, reading)];
    case 'date':
    case 'time':
      return [toFormQuestion(asked, reading, name)];
    case 'dateTime':
      return [
        toFormQuestion(asked, reading, 'date', { source: { part: 'date' } }),
        toFormQuestion(asked, reading, 'time', { suffix: '.time', source: { part: 'time' } }),
      ];
    case 'acknowledge':
      return [
        toFormQuestion(asked, reading, 'single_choice', {
          members: { options: [{ id: 'OK', text: 'OK', source_data: { source_id: 'OK' } }] },
        }),
      ];
    case 'geotrace':
    case 'geoshape':
      warnOfFormType(asked, reading, 'it becomes a text with the coordinates');
      return [toFormQuestion(asked, reading, 'textarea')];
    default:
      warnOfFormType(asked, reading, 'it becomes a text');
      return [toFormQuestion(asked, reading, 'text')];
  }
}

function readSelect({ takes, list, orOther }: Select, asked: AskedRow, lists: Lists, reading: FormReading): JsonObject {
  const options = [...(lists.get(list) ?? [])];
  if (options.length === 0) {
    warnOfFormType(asked, reading, `the list ${list.slice(0, 100)} has no choices, and it becomes a text`);
    return toFormQuestion(asked, reading, takes === 'one' ? 'text' : 'textarea');
  }
  if (takes === 'order') {
    warnOfFormType(asked, reading, 'it becomes a matrix of choices and ranks');
    const columns = options.map((_, index) => toRank(index + 1));
    return toFormQuestion(asked, reading, 'matrix', {
      members: { rows: options, columns, required_rows: 1 },
      source: { kept_as: 'ranks' },
    });
  }
  return toFormQuestion(asked, reading, takes === 'one' ? 'single_choice' : 'multiple_choice', {
    members: { options, ...(orOther ? { allow_other: true } : {}) },
  });
}

function readRange(asked: AskedRow, reading: FormReading): JsonObject {
  const parameters = asked.row.cells.get('parameters') ?? '';
  const readParameter = (name: string, standard: number) => {
    const given = new RegExp(`\\b${name}\\s*=\\s*(-?[\\d.]+)`).exec(parameters)?.[1];
    const number = Number(given ?? standard);
    return Number.isFinite(number) ? number : standard;
  };
  const [min, max, step] = [readParameter('start', 1), readParameter('end', 10), readParameter('step', 1)];
  return toFormQuestion(asked, reading, 'rating', {
    members: { min, max: Math.max(min, max), ...(step === 1 || step <= 0 ? {} : { step }) },
  });
}

/** The pattern of a `regex(., …)` constraint, the only one that is converted. */
function patternOf({ row }: AskedRow): JsonObject {
  const [, single, double] = REGEX.exec(row.cells.get('constraint') ?? '') ?? [];
  const pattern = single ?? double;
  if (pattern === undefined) return {};
  const whole = `^(?:${pattern})$`;
  return typeof createPatternCompiler()(whole, 1_000) === 'function' ? { pattern: whole } : {};
}

function toRank(rank: number): JsonObject {
  return { id: String(rank), text: String(rank), source_data: { source_id: rank } };
}
