import type { JsonObject } from '@bufbuild/protobuf';
import type { ResponseReadOptions } from '../core/reader.ts';
import type { FileResponse } from '../core/responses/response.ts';
import type { ImportFile } from '../files/import-file.ts';
import { invalidImport } from '../files/report.ts';
import { streamXml } from '../files/xml.ts';
import { DEPTH } from './document.ts';
import { createToColumnName } from './field-names.ts';
import { indexQuestions } from './question-index.ts';
import { createRecordReader, type ResponseRecord } from './response-record.ts';

const MAX_FIELDS = 20_000;
const TYPE = 'Responses';
const SUBMITTED = 'submitdate';

/** Reads the responses (LSR) of an archive. Their cells have answer codes. */
export async function* readLsrResponses(
  file: ImportFile,
  payload: JsonObject,
  options: Pick<ResponseReadOptions, 'table' | 'warn'>,
): AsyncGenerator<FileResponse> {
  const toName = createToColumnName(indexQuestions(payload));
  const reader = createRecordReader(payload, options, 'codes');
  let index = 0;
  for await (const record of readRecords(file)) {
    const named = new Map([...record].map(([field, cell]) => [toName(field), cell] as const));
    for (const [name, cell] of named) if (cell !== '' && !reader.isKnown(name)) reader.reportColumn(name);
    yield reader.read(named, index);
    index += 1;
  }
}

/** Streams the rows of the table of responses. Each is a map from field name to text. */
async function* readRecords(file: ImportFile): AsyncGenerator<ResponseRecord> {
  const openElements: string[] = [];
  let fields = new Map<string, string>();
  let [text, type] = ['', ''];
  let declaresSubmitDate = false;
  let records: ResponseRecord[] = [];
  const reading = streamXml(file, {
    open(name) {
      openElements.push(name);
      text = '';
      // Rows lack empty fields. If the archive declares `submitdate`, a row without it is an unfinished response.
      if (openElements.length === DEPTH.row) fields = new Map(declaresSubmitDate ? [[SUBMITTED, '']] : []);
    },
    text(piece) {
      if (openElements.length === DEPTH.section || openElements.length >= DEPTH.row) text += piece;
    },
    close(name) {
      if (openElements.length === DEPTH.section && name === 'LimeSurveyDocType') type = text.trim();
      if (name === 'fieldname' && text === SUBMITTED) declaresSubmitDate = true;
      if (openElements.length === DEPTH.field && openElements[1] === 'responses' && fields.size < MAX_FIELDS)
        fields.set(name, text);
      if (openElements.length === DEPTH.row && name === 'row' && openElements[1] === 'responses') records.push(fields);
      openElements.pop();
      text = '';
    },
  });
  try {
    for await (const _ of reading) {
      if (records.length > 0) checkType(type);
      yield* records;
      records = [];
    }
  } catch (error) {
    // The responses before an unreadable position are complete.
    if (type === TYPE) yield* records;
    throw error;
  }
  checkType(type);
}

function checkType(type: string): void {
  if (type === TYPE) return;
  const problem = type === '' ? 'it has no LimeSurveyDocType' : `its LimeSurveyDocType is ${type.slice(0, 50)}`;
  const detail = `The responses of the archive (LSR) cannot be read: ${problem}, not ${TYPE}`;
  throw invalidImport([{ path: '', code: 'WRONG_TYPE', detail }]);
}
