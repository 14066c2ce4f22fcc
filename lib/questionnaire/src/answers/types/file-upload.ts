import { fileCell } from '../../columns/file-cell.ts';
import { isArray, isObject } from '../../json.ts';
import { LIMITS } from '../../limits.ts';
import { presenceOperand } from '../../logic/operand.ts';
import { objectJson } from '../answer-json-schema.ts';
import { type ReadAnswerRules, rejection } from '../answer-type.ts';
import type { FileReference } from '../answer-value.ts';
import { coerceNothing } from '../coerce.ts';
import { fileRule as countedFiles } from '../counting-rule.ts';
import type { QuestionMembers } from '../question-members.ts';

const FILE_ID = /^[A-Za-z0-9_.-]{1,128}$/;

/** `[{"file_id": "…"}]`. The response service checks that the files exist, who owns them, and their size and type. */
export const fileUpload: ReadAnswerRules<'file_upload'> = (members) => {
  const maxFiles = members.get('max_files') ?? LIMITS.files;
  const files = { maxBytes: members.get('max_bytes'), accept: readAccept(members) };
  return {
    check: (value) => {
      if (!isArray(value)) return rejection('WRONG_TYPE', 'the answer must be an array of {"file_id": "…"}');
      if (value.length > maxFiles) return rejection('TOO_MANY', `at most ${maxFiles} files can be given`);
      const given = new Map<string, FileReference>();
      for (const file of value) {
        const id = fileIdOf(file);
        if (id === undefined) return rejection('WRONG_TYPE', 'every file must be an object with only a file_id');
        if (given.has(id)) return rejection('DUPLICATE_OPTION', 'a file is given twice');
        given.set(id, { file_id: id });
      }
      return { value: [...given.values()] };
    },
    jsonSchema: () => ({
      type: 'array',
      items: objectJson({ file_id: { type: 'string', pattern: FILE_ID.source } }, ['file_id']),
      uniqueItems: true,
      maxItems: maxFiles,
    }),
    coerce: coerceNothing,
    operand: presenceOperand,
    cells: fileCell,
    countingRule: countedFiles,
    files,
  };
};

/** Reads `accept`: a list, or a string with commas as in HTML. */
export function readAccept(members: QuestionMembers<'file_upload'>): readonly string[] {
  const accept = members.get('accept') ?? [];
  const list = typeof accept === 'string' ? accept.split(',') : accept;
  return list.map((kind) => kind.trim().toLowerCase()).filter((kind) => kind !== '');
}

function fileIdOf(file: unknown): string | undefined {
  if (!isObject(file) || Object.keys(file).length !== 1) return undefined;
  const id = file.file_id;
  return typeof id === 'string' && FILE_ID.test(id) ? id : undefined;
}
