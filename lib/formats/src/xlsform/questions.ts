import type { JsonObject } from '@bufbuild/protobuf';
import { createPatternCompiler } from '@survey/questionnaire/answers/pattern';
import { numberScale } from '../core/number-scale.ts';
import { type AskedRow, type FormContext, toFormQuestion, warnOfUnsupportedType } from './form-context.ts';
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
  context: FormContext,
): readonly JsonObject[] {
  if (type.kind === 'select') return [readSelect(type, asked, lists, context)];
  const name = type.kind === 'plain' ? type.name : '';
  if (Object.hasOwn(FILES, name)) {
    const accept = FILES[name] ?? '';
    return [
      toFormQuestion(asked, context, 'file_upload', {
        members: { max_files: 1, ...(accept === '' ? {} : { accept }) },
      }),
    ];
  }
  switch (name) {
    case 'text': {
      // Texts can have several lines, unless a pattern restricts them.
      const members = patternOf(asked);
      return [toFormQuestion(asked, context, members['pattern'] === undefined ? 'textarea' : 'text', { members })];
    }
    case 'integer':
    case 'decimal':
      return [toFormQuestion(asked, context, 'text', { members: { format: name === 'integer' ? name : 'number' } })];
    case 'range':
      return [readRange(asked, context)];
    case 'date':
    case 'time':
      return [toFormQuestion(asked, context, name)];
    case 'dateTime':
      return [
        toFormQuestion(asked, context, 'date', { source: { part: 'date' } }),
        toFormQuestion(asked, context, 'time', { suffix: '.time', source: { part: 'time' } }),
      ];
    case 'acknowledge':
      return [
        toFormQuestion(asked, context, 'single_choice', {
          members: { options: [{ id: 'OK', text: 'OK', source_data: { source_id: 'OK' } }] },
        }),
      ];
    case 'geotrace':
    case 'geoshape':
      warnOfUnsupportedType(asked, context, 'it becomes a text with the coordinates');
      return [toFormQuestion(asked, context, 'textarea')];
    default:
      warnOfUnsupportedType(asked, context, 'it becomes a text');
      return [toFormQuestion(asked, context, 'text')];
  }
}

function readSelect({ takes, list, orOther }: Select, asked: AskedRow, lists: Lists, context: FormContext): JsonObject {
  const options = [...(lists.get(list) ?? [])];
  if (options.length === 0) {
    warnOfUnsupportedType(asked, context, `the list ${list.slice(0, 100)} has no choices, and it becomes a text`);
    return toFormQuestion(asked, context, takes === 'one' ? 'text' : 'textarea');
  }
  if (takes === 'order') {
    warnOfUnsupportedType(asked, context, 'it becomes a matrix of choices and ranks');
    const columns = numberScale(options.length);
    return toFormQuestion(asked, context, 'matrix', {
      members: { rows: options, columns, required_rows: 1 },
      source: { kept_as: 'ranks' },
    });
  }
  return toFormQuestion(asked, context, takes === 'one' ? 'single_choice' : 'multiple_choice', {
    members: { options, ...(orOther ? { allow_other: true } : {}) },
  });
}

function readRange(asked: AskedRow, context: FormContext): JsonObject {
  const parameters = asked.row.cells.get('parameters') ?? '';
  const readParameter = (name: string, standard: number) => {
    const given = new RegExp(`\\b${name}\\s*=\\s*(-?[\\d.]+)`).exec(parameters)?.[1];
    const number = Number(given ?? standard);
    return Number.isFinite(number) ? number : standard;
  };
  const [min, max, step] = [readParameter('start', 1), readParameter('end', 10), readParameter('step', 1)];
  return toFormQuestion(asked, context, 'rating', {
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
