import { isDeepStrictEqual } from 'node:util';
import type { Response, ResponseStatus } from './response.ts';

/** A correction of a response by a user, without answers. */
export interface CorrectionRecord {
  /** Revision of the response after the correction. */
  readonly revision: number;
  readonly correctedAt: Date;
  readonly correctedBy: string;
  /** Questions with another answer, at most `MAX_QUESTIONS`. */
  readonly questionIds: readonly string[];
  readonly metadataChanged: boolean;
  readonly statusBefore: ResponseStatus;
  readonly statusAfter: ResponseStatus;
}

/** A correction as it is stored in its response. */
export interface CorrectionDocument {
  readonly revision: number;
  readonly at: Date;
  readonly by: string;
  readonly questions: readonly string[];
  readonly metadata: boolean;
  readonly from: ResponseStatus;
  readonly to: ResponseStatus;
}

/** Maximum number of corrections in a response. Together with `MAX_QUESTIONS`, limits the size of the document. */
export const MAX_CORRECTIONS = 50;
const MAX_QUESTIONS = 100;

/** @param by id of the user */
export function toCorrectionRecord(by: string, before: Response, after: Response): CorrectionRecord {
  const ids = Object.keys({ ...before.data, ...after.data });
  const changed = ids.filter((id) => !isDeepStrictEqual(before.data[id], after.data[id]));
  return {
    revision: after.revision,
    correctedAt: after.updatedAt,
    correctedBy: by,
    questionIds: changed.slice(0, MAX_QUESTIONS),
    metadataChanged: !isDeepStrictEqual(before.metadata, after.metadata),
    statusBefore: before.status,
    statusAfter: after.status,
  };
}

export function toCorrectionDocument(record: CorrectionRecord): CorrectionDocument {
  return {
    revision: record.revision,
    at: record.correctedAt,
    by: record.correctedBy,
    questions: record.questionIds,
    metadata: record.metadataChanged,
    from: record.statusBefore,
    to: record.statusAfter,
  };
}

export function fromCorrectionDocument(document: CorrectionDocument): CorrectionRecord {
  return {
    revision: document.revision,
    correctedAt: document.at,
    correctedBy: document.by,
    questionIds: document.questions,
    metadataChanged: document.metadata,
    statusBefore: document.from,
    statusAfter: document.to,
  };
}
