import type { JsonObject } from '@bufbuild/protobuf';
import { createPatternCompiler } from '@survey/questionnaire/answers/pattern';
import type { Lists } from './lists.ts';
import type { RowType } from './row-types.ts';
import { type AskedRow, type FormTools, toFormQuestion, warnOfFormType } from './tools.ts';

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
  tools: FormTools,
): readonly JsonObject[] {
  if (type.kind === 'select') return [readSelect(type, asked, lists, tools)];
  const name = type.kind === 'plain' ? type.name : '';
  if (Object.hasOwn(FILES, name)) {
    const accept = FILES[name] ?? '';
    return [
      toFormQuestion(asked, tools, 'file_upload', { members: { max_files: 1, ...(accept === '' ? {} : { accept }) } }),
    ];
  }
  switch (name) {
    case 'text': {
      // Texts can have several lines, unless a pattern restricts them.
      const members = patternOf(asked);
      return [toFormQuestion(asked, tools, members['pattern'] === undefined ? 'textarea' : 'text', { members })];
    }
    case 'integer':
    case 'decimal':
      return [toFormQuestion(asked, tools, 'text', { members: { format: name === 'integer' ? name : 'number' } })];
    case 'range':
      return [readRange(asked, tools)];
    case 'date':
    case 'time':
      return [toFormQuestion(asked, tools, name)];
    case 'dateTime':
      return [
        toFormQuestion(asked, tools, 'date', { source: { part: 'date' } }),
        toFormQuestion(asked, tools, 'time', { suffix: '.time', source: { part: 'time' } }),
      ];
    case 'acknowledge':
      return [
        toFormQuestion(asked, tools, 'single_choice', {
          members: { options: [{ id: 'OK', text: 'OK', source_data: { source_id: 'OK' } }] },
        }),
      ];
    case 'geotrace':
    case 'geoshape':
      warnOfFormType(asked, tools, 'it becomes a text with the coordinates');
      return [toFormQuestion(asked, tools, 'textarea')];
    default:
      warnOfFormType(asked, tools, 'it becomes a text');
      return [toFormQuestion(asked, tools, 'text')];
  }
}

function readSelect({ takes, list, orOther }: Select, asked: AskedRow, lists: Lists, tools: FormTools): JsonObject {
  const options = [...(lists.get(list) ?? [])];
  if (options.length === 0) {
    warnOfFormType(asked, tools, `the list ${list.slice(0, 100)} has no choices, and it becomes a text`);
    return toFormQuestion(asked, tools, takes === 'one' ? 'text' : 'textarea');
  }
  if (takes === 'order') {
    warnOfFormType(asked, tools, 'it becomes a matrix of choices and ranks');
    const columns = options.map((_, index) => toRank(index + 1));
    return toFormQuestion(asked, tools, 'matrix', {
      members: { rows: options, columns, required_rows: 1 },
      source: { kept_as: 'ranks' },
    });
  }
  return toFormQuestion(asked, tools, takes === 'one' ? 'single_choice' : 'multiple_choice', {
    members: { options, ...(orOther ? { allow_other: true } : {}) },
  });
}

function readRange(asked: AskedRow, tools: FormTools): JsonObject {
  const parameters = asked.row.cells.get('parameters') ?? '';
  const readParameter = (name: string, standard: number) => {
    const given = new RegExp(`\\b${name}\\s*=\\s*(-?[\\d.]+)`).exec(parameters)?.[1];
    const number = Number(given ?? standard);
    return Number.isFinite(number) ? number : standard;
  };
  const [min, max, step] = [readParameter('start', 1), readParameter('end', 10), readParameter('step', 1)];
  return toFormQuestion(asked, tools, 'rating', {
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
